import re

from bs4 import BeautifulSoup

items = BeautifulSoup(open("items.html"), "html.parser")

for row in items.select("table.items > tr:nth-of-type(2n)"):
    print(row.select("td")[0].text, row.select_one("a[href^='http']"))
links = items.select('a[href$=".pdf"]:not(.old)')
title = items.select("#title, .title")
seg = items.select(".mt .cb:first-child")
rest = items.select("div:has(> p) + ul li ~ li")
hxs.select('//ul/li[@class="item"][price>10]')
names = [re.sub(r"\^root", "", a) for a in items.select("a.d1.d2")]
