use pact::Context;
fn f() {
    c.select("^sys .proven");
    c.select(r#"^seq .raw[kind="x"]"#);
    c.select(".a ?? .fallback");
    // pact
    let below = ".below-a-comment";
    use_it(/* pact */ ".after-a-comment");
}
