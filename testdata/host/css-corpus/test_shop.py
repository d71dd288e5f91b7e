"""The items of the basket, in a browser."""
from playwright.sync_api import Page


def test_items(page: Page) -> None:
    page.select("select#items", "blue")
    page.select('.row-{}'.format(3), "items")
    page.select('#item-{id}'.format(id=3), "x")
    page.select(f".item[data-id='{3}']", "x")
    page.select("%s > option" % "select", "x")
    page.select(selector=".mt > .cb")
