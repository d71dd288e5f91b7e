require "pact"
ctx.select "^sys .bare"
ctx.select("^seq .proven", limit: 1)
ctx.select(%q(^ah .percent))
# pact
below = ".below-a-comment"
form.select("country")
