"""Asks a context tree, by way of pactsel."""
from pactsel import History

# language=pact
QUESTIONS = ".cb+user"


def turns(ctx: History, name):
    ctx.select('.mt > .cb')
    ctx.select("""
        ^seq .seg
        > .block[kind="text"]
    """)
    ctx.select(r".block{name~'sea\\w+'}")
    ctx.select(f".block{{name='{name}'}}")
    ctx.select(".seg "
               ".block+user")
    ctx.select(selector="\u002eblock+tool")
    ctx.delete("@t-1 .block+draft?")
    ctx.insert(place, position="(d0, end)")
    return ctx.diff("a", "b", ".note")
