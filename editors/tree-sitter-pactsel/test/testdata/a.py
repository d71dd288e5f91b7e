import pact

ctx.select("^sys .proven")
ctx.select(selector="^seq .named")
ctx.select(".only-the-import-proves-it")
ctx.select(f"^seq .hole{x}")
ctx.select("""
    ^seq .seg
    > .lines
""")
pact.compile(r".typed")
# pact
below = ".below-a-comment"
d3.select(".tick")
