(selector (fragment) @name) @item
