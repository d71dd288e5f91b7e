use scraper::{Html, Selector};

fn main() {
    let items = Html::parse_document("<ul></ul>");
    let all = items.select(&Selector::parse("li.item").unwrap());
    let row = table.select(".cb > .mt");
    let one = items.select(r#"a[href^="items"]"#);
}
