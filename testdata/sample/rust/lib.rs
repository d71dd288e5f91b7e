use pact::Context;

/// The questions of a tree.
pub fn questions(ctx: &Context) -> Vec<Node> {
    ctx.select(r#".mt .cb+user[kind="text"]"#);
    ctx.select(".seg \
                > .cont > .block")
}
