import { History } from '@pactkit/cli'

export const turns = (ctx: History) => ctx.select('d1, d2')
export const notes = (ctx: History) => ctx.select(".note{status='open'}").length
