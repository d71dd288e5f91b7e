const { read } = require('@pactkit/cli')

module.exports = (ctx) => ctx.select(`.mc > .cb`) || ctx.select('.block\x2buser')
// pactkit:ignore legacy/role -- the old store has roles still
module.exports.old = (ctx) => ctx.select("{role='user'}")
