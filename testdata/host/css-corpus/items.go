package shop

import "github.com/PuerkitoBio/goquery"

func Titles(items *goquery.Document, ctx Context) {
	items.Select("h2.title > a")
	items.Select(".mt .cb:hover")
	ctx.Delete("#items")
	ctx.Move("/items/1", "/items/2")
	ctx.Insert("items", "a, b")
}
