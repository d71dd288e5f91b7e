package org.example.shop;

import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;

class Items {
  void print(Document items) {
    items.select("a[href~=(?i)\\.png]").forEach(System.out::println);
    items.select(".mt > .cb");
    items.select("div.items p:gt(1)");
    items.select("""
        tr:lt(3)
        """);
  }
}
