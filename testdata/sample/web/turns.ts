import { Context } from 'pact'

export const turns = (ctx: Context) => ctx.select('d1, d2')
export const notes = (ctx: Context) => ctx.select(".note{status='open'}").length
