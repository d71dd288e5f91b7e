"""Part of an agent: its selectors have faults on purpose."""

from pactsel import History, Nodes


def questions(ctx: History) -> Nodes:
    return ctx.select("^seq .block+question")


def newest_question(ctx: History) -> Nodes:
    # pact
    newest = "^ah .cb+question:last"
    return ctx.select(selector=newest)


def results(ctx: History) -> Nodes:
    return ctx.select("""
        d1..d3
        .block{kind='tool_result'}
    """)
