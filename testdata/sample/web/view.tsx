import { History, pact } from '@pactkit/cli'

const questions = pact`^root .block+user`
const tools = /* pact */ ".block+tool[ttl=0]"

export function View({ ctx, name }: { ctx: History; name: string }) {
  const found = ctx.select<Node>('.cb:note{status="open"}')
  const one = pact`.block[name=${name}]`
  return <List title="it's .block" items={ctx.select(".block @order=pre")} more={[found, one]}>don&apos;t</List>
}
