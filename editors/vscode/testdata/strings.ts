// SYNTAX TEST "source.ts" "Selectors in strings of TypeScript."
const a = pact`.block[kind='${kind}'] +user`
//        ^^^^ entity.name.function.tagged-template.pactsel
//             ^^^^^^ entity.name.type.pactsel
//                          ^^^^^^^ meta.template.expression.pactsel
//                                     ^^^^ entity.name.function.tag.pactsel
const b = impact`.block`
//               ^^^^^^ - entity.name.type.pactsel
const c = /* pact */ '.block' + ".seg"
//                    ^^^^^^ entity.name.type.pactsel
//                               ^^^^ - entity.name.type.pactsel
const d = 1 // pact is a word in this comment
const e = ".block"
//         ^^^^^^ - entity.name.type.pactsel
const f = ctx.select('^seq .block') ?? ctx.select(".block")
//                    ^^^^ keyword.control.region.pactsel
//                         ^^^^^^ entity.name.type.pactsel
//                                                 ^^^^^^ - entity.name.type.pactsel
const g = d3.select("#sequence .a", s.replace(/^seq .b/, ''))
//                             ^^ - entity.name.type.pactsel
//                                                  ^^ - entity.name.type.pactsel
