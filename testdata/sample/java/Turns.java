package org.example;

import org.example.pact.Context;

class Turns {
  Object questions(Context ctx) {
    ctx.select(".cb+user");
    return ctx.select("""
        .seg
          > .cont
        """);
  }
}
