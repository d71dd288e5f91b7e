-- Tests the plugin in a headless Neovim, on a copy of editors/sample: `make editors` runs it. Every
-- step prints a line; the first failure ends the run with exit code 1.
local sample, server, repository = vim.env.PACT_SAMPLE, vim.env.PACT_LSP, vim.env.PACT_EDITORS
vim.opt.runtimepath:append(repository .. "/neovim")
vim.cmd("syntax on")
vim.o.swapfile = false
vim.api.nvim_set_current_dir(sample)
require("pactkit").setup({ cmd = { server }, fix_on_save = true })

local function fail(what, saw)
  io.stderr:write("FAIL  " .. what .. ": saw " .. vim.inspect(saw) .. "\n")
  vim.cmd("cquit 1")
end

-- seen waits until get returns what is meant.
local function seen(what, get, meant)
  local last
  if not vim.wait(10000, function()
    last = get()
    return meant(last)
  end, 50) then
    fail(what, last)
  end
  return last
end

local function step(what, said) io.stdout:write("ok    " .. what .. ": " .. (type(said) == "string" and said or vim.inspect(said)) .. "\n") end

local function client()
  for _, c in pairs(vim.lsp.buf_get_clients(0)) do
    return c
  end
end

local function ask(method, params)
  local answers = vim.lsp.buf_request_sync(0, method, params, 10000)
  for _, a in pairs(answers or {}) do
    if a.error then
      fail(method, a.error)
    end
    return a.result
  end
  fail(method, answers)
end

local function line(n) return vim.api.nvim_buf_get_lines(0, n - 1, n, false)[1] end

local function open(file, row, column)
  vim.cmd("silent! edit " .. file)
  seen("attach " .. file, client, function(c) return c and c.initialized ~= false and c.server_capabilities end)
  vim.api.nvim_win_set_cursor(0, { row, column - 1 })
end

local function position() return vim.lsp.util.make_position_params(0, client().offset_encoding) end

-- over_tree_sitter checks the selector in a Markdown code block; that parser comes with Neovim.
local function over_tree_sitter()
  open("notes.md", 6, 1)
  vim.treesitter.start(0, "markdown")
  local row, column = 6, line(6):find("+", 1, true)
  local function groups()
    vim.cmd("redraw") -- Neovim 0.10 colors what it draws
    local found = {}
    for _, m in ipairs(vim.inspect_pos(0, row - 1, column).semantic_tokens) do
      table.insert(found, m.opts.hl_group .. " " .. m.opts.priority)
    end
    return found
  end
  local found = seen("semantic tokens", groups, function(l) return #l > 0 end)
  for _, text in ipairs(found) do
    if tonumber(text:match("%d+$")) <= (vim.hl or vim.highlight).priorities.treesitter then
      fail("colors over tree-sitter", found)
    end
  end
  step("colors over tree-sitter", table.concat(found, ", "))
end

local function steps()
  open("agent.go", 18, 38)
  step("attach", client().name .. " in " .. vim.fn.fnamemodify(client().config.root_dir, ":t"))

  local function color(row, text, offset)
    local column = line(row):find(text, 1, true) + (offset or 0)
    return vim.fn.synIDattr(vim.fn.synID(row, column, 1), "name")
  end
  local colors = {
    color(13, "^seq"), color(13, "+question"), color(13, "c.Select"), color(13, '"^seq'), color(11, "//"), color(23, "d1..d3"),
  }
  if colors[1] ~= "pactRegion" or colors[2] ~= "pactTag" or colors[5] ~= "goComment" or colors[6] ~= "goRawString" then
    fail("colors in strings", colors)
  end
  step("colors in strings", table.concat(colors, " "))

  if vim.lsp.semantic_tokens then -- Neovim 0.9
    over_tree_sitter()
    open("agent.go", 18, 38)
  end

  local function messages()
    return vim.tbl_map(function(d) return d.lnum + 1 .. ": " .. d.message:gsub("\n.*", "") end, vim.diagnostic.get(0))
  end
  local found = seen("diagnostics", messages, function(m) return vim.tbl_contains(m, "18: unknown tag `polcy`") end)
  step("diagnostics", table.concat(found, " / "))

  local hover = ask("textDocument/hover", position())
  for _, part in ipairs({ "rules.md#correctnessunknown-tag", "^sys" }) do
    if not hover.contents.value:find(part, 1, true) then
      fail("hover", hover)
    end
  end
  step("hover", (hover.contents.value:gsub("\n.*", "")))

  -- formatted returns nothing where the server has not registered formatting, which Neovim 0.10 heeds.
  local function formatted()
    local params = { textDocument = { uri = vim.uri_from_bufnr(0) }, options = { tabSize = 4, insertSpaces = false } }
    for _, a in pairs(vim.lsp.buf_request_sync(0, "textDocument/formatting", params, 10000) or {}) do
      return a.result
    end
  end
  local function embedded(on)
    local c, settings = client(), vim.tbl_extend("force", require("pactkit").settings, { format = { embedded = on } })
    local params = { settings = { pactkit = settings } }
    if vim.fn.has("nvim-0.11") == 1 then
      c:notify("workspace/didChangeConfiguration", params)
    else
      c.notify("workspace/didChangeConfiguration", params)
    end
  end
  local before = formatted()
  if before and #before > 0 then
    fail("format.embedded", before)
  end
  embedded(true)
  local during
  for _ = 1, 100 do
    during = formatted() or {}
    if #during > 0 then
      break
    end
    vim.wait(100)
  end
  embedded(false)
  if #during == 0 then
    fail("format.embedded", during)
  end
  step("format.embedded", "0 edits without, " .. #during .. " with it")

  vim.api.nvim_buf_set_text(0, 12, 41, 12, 41, { ", +" })
  vim.api.nvim_win_set_cursor(0, { 13, 44 })
  local items = ask("textDocument/completion", position())
  local labels = vim.tbl_map(function(i) return i.label end, items.items or items)
  if not vim.tbl_contains(labels, "+answer") then
    fail("completion", labels)
  end
  step("completion", table.concat(labels, " "))

  vim.cmd("silent normal! u")
  if line(13):find(", +", 1, true) then
    fail("undo", line(13))
  end

  local fixes = ask("textDocument/codeAction", {
    textDocument = { uri = vim.uri_from_bufnr(0) },
    range = { start = { line = 17, character = 37 }, ["end"] = { line = 17, character = 37 } },
    context = { diagnostics = {}, only = { "quickfix" } },
  })
  vim.lsp.util.apply_workspace_edit(fixes[1].edit, client().offset_encoding)
  if not line(18):find("+policy", 1, true) then
    fail("quick fix", line(18))
  end
  step("quick fix", fixes[1].title .. " -> " .. vim.trim(line(18)))

  vim.cmd("silent write")
  local saved = table.concat(vim.fn.readfile("agent.go"), "\n")
  if saved:find("%.mt") or not saved:find("%.seg") then
    fail("fix on save", saved)
  end
  step("fix on save", vim.trim(line(13)))

  open("agent.pactsel", 7, 12)
  if vim.bo.filetype ~= "pact-selector" or vim.fn.synIDattr(vim.fn.synID(7, 2, 1), "name") ~= "pactRegion" then
    fail("file type and colors", { vim.bo.filetype, vim.fn.synIDattr(vim.fn.synID(7, 2, 1), "name") })
  end
  step("file type and colors", vim.bo.filetype)
  if vim.lsp.buf.format then
    vim.lsp.buf.format({ timeout_ms = 10000 })
  else
    vim.lsp.buf.formatting_sync(nil, 10000)
  end
  if line(7) ~= "@t0 (d0 *[nodeType='block']+question:last)" then
    fail("format", line(7))
  end
  step("format", line(7))
  if line(1) ~= "# Selectors of the agent. Some have faults on purpose." then
    fail("format keeps comments", line(1))
  end

  local counts = ask("textDocument/codeLens", { textDocument = { uri = vim.uri_from_bufnr(0) } })
  step("code lens", table.concat(vim.tbl_map(function(l) return l.command.title end, counts), " / "))

  local result
  require("pactkit").command("pactkit.evaluate", function(r) result = r end)
  seen("evaluate", function() return result end, function(r) return r and r:find("q3", 1, true) end)
  step("evaluate", (result:gsub("%s+", " ")))

  vim.api.nvim_win_set_cursor(0, { 7, (line(7):find("+question", 1, true)) })
  local params = position()
  params.newName = "inquiry"
  vim.lsp.util.apply_workspace_edit(ask("textDocument/rename", params), client().offset_encoding)
  if not line(7):find("+inquiry", 1, true) then
    fail("rename", { line(7), vim.fn.execute("messages") })
  end
  vim.cmd("silent wall")
  local said = {}
  for _, file in ipairs({ "agent.go", "agent.py", "agent.ts", "notes.md", "agent.pactsel" }) do
    local text = table.concat(vim.fn.readfile(file), "\n")
    if text:find("+question", 1, true) or not text:find("+inquiry", 1, true) then
      fail("rename in " .. file, text)
    end
    table.insert(said, file .. " " .. select(2, text:gsub("%+inquiry", "")))
  end
  step("rename", table.concat(said, ", "))
end

local well, why = xpcall(steps, debug.traceback)
if not well then
  fail("the run", why)
end
io.stdout:write("all steps went well\n")
vim.cmd("qall!")
