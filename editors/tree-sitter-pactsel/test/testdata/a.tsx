const tagged = pact`.tagged > .block`
const comment = /* pact */ ".after-a-comment"
// language=pact
const below = '.below-a-comment'
const page = <List items={ctx.select("^sys .proven")}>don't</List>
ctx.select(`@t-5 .template`)
ctx.select(`^sys ${hole}`)
ctx.replace("d1..d3 .target", x)
d3.select(".tick")
$.select("a[href^='x']")
