const tagged = pact`.tagged > .block`
const comment = /* pact */ ".after-a-comment"
// language=pact
const below = '.below-a-comment'
ctx.select("^sys .proven")
ctx.select(`@t-5 .template`)
ctx.select(`^sys ${hole}`)
ctx.replace("d1..d3 .target", x)
d3.select(".tick")
$.select("a[href^='x']")
