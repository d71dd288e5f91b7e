// SYNTAX TEST "source.go" "Selectors in strings of Go."
package p

func _() {
	// pact
	const a = ".block[kind=\"x\"]"
	//         ^^^^^^ entity.name.type.pactsel
	//                     ^^ constant.character.escape.pactsel
	//        ^ string.quoted.double.pactsel
	//                           ^ string.quoted.double.pactsel

	var b = ".block"
	//       ^^^^^^ - entity.name.type.pactsel

	var c = f( /* pact */ `d1 +user`, ".block")
	//         ^^^^^^^^^^ comment.block.pactsel
	//                     ^^ constant.numeric.depth.pactsel
	//                        ^^^^^ entity.name.function.tag.pactsel
	//                                 ^^^^^^ - entity.name.type.pactsel

	var d = pactkit.MustCompile("^ah .block")
	//                           ^^^ keyword.control.region.pactsel
	//      ^^^^^^^ - meta.embedded.inline.pactsel

	_ = c.Select(ctx, "^seq .block")
	//                 ^^^^ keyword.control.region.pactsel
	//                      ^^^^^^ entity.name.type.pactsel
	//                ^ string.quoted.double.pactsel

	_ = c.Select(ctx, `d1 .block, ^ah +user`, ".seg")
	//                 ^^ constant.numeric.depth.pactsel
	//                                ^^^^^ entity.name.function.tag.pactsel
	//                                         ^^^^ - entity.name.type.pactsel

	_ = c.Select(ctx, `d1..d3 .block[kind="x"]`)
	//                 ^^ constant.numeric.depth.pactsel
	//                        ^^^^^^ entity.name.type.pactsel

	_ = c.Select(ctx, ".block")
	//                 ^^^^^^ - entity.name.type.pactsel

	var e = ".block"
	//       ^^^^^^ - entity.name.type.pactsel
}
