"""Part of an agent: its selectors have faults on purpose."""

from pact import Context


def questions(ctx: Context) -> list[str]:
    return ctx.select("^seq .block+question")


def newest_question(ctx: Context) -> list[str]:
    # pact
    newest = "^ah .cb+question:last"
    return ctx.select(selector=newest)


def results(ctx: Context) -> list[str]:
    return ctx.select("""
        d1..d3
        .block{kind='tool_result'}
    """)
