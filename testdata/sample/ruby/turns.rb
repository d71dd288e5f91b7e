require "pact"

def turns(ctx)
  ctx.select ".mt > .mc"
  ctx.select(<<~SELECTOR)
    .seg
      > .cont
  SELECTOR
  ctx.select(%q(.block{name='search'}))
end
