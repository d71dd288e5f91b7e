class A {
    void f() {
        ctx.select("^sys .proven");
        ctx.select("""
            ^seq .seg
              > .lines
            """);
        pact.compile(".typed");
        // language=pact
        String below = ".below-a-comment";
    }
}
