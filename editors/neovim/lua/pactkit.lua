-- The client of pact-lsp in Neovim 0.7 and newer. Neovim 0.11 needs it for the commands only: see README.md.
local M = {}

-- The languages whose documents can contain selectors.
M.filetypes = {
  "pact-selector", "go", "python", "javascript", "javascriptreact", "typescriptreact", "typescript", "rust",
  "java", "ruby", "json", "jsonc", "yaml", "toml", "markdown",
}

M.root_markers = { ".pactkit.toml", ".git" }

local function root_of(path)
  local folder = vim.fn.fnamemodify(path, ":p:h")
  for _, marker in ipairs(M.root_markers) do
    local at = folder
    while true do
      if vim.loop.fs_stat(at .. "/" .. marker) then
        return at
      end
      local up = vim.fn.fnamemodify(at, ":h")
      if up == at then
        break
      end
      at = up
    end
  end
  return folder
end

-- The capabilities for the server. Its semantic tokens take precedence over tree-sitter, also in
-- strings: Neovim 0.9 takes the tokens of a buffer from every server, and gives them a higher
-- priority.
M.settings = { tokens = { strings = true } }

M.clients = {} -- by root folder, before Neovim 0.8

-- attach starts the server for a buffer, or attaches the buffer to the one of its root folder.
function M.attach(bufnr, config)
  local name = vim.api.nvim_buf_get_name(bufnr)
  local root = root_of(name ~= "" and name or vim.fn.getcwd() .. "/x")
  config = vim.tbl_extend("keep", config or {}, {
    name = "pact_lsp",
    cmd = { "pact-lsp" },
    root_dir = root,
    init_options = M.settings,
    settings = { pactkit = M.settings },
    workspace_folders = { { uri = vim.uri_from_fname(root), name = root } },
  })
  if vim.lsp.start then
    return vim.lsp.start(config, { bufnr = bufnr })
  end
  local id = M.clients[root]
  if not id or vim.lsp.client_is_stopped(id) then
    id = vim.lsp.start_client(config)
    M.clients[root] = id
  end
  if id then
    vim.lsp.buf_attach_client(bufnr, id)
  end
  return id
end

local function client_of(bufnr)
  local list = vim.lsp.get_clients and vim.lsp.get_clients({ bufnr = bufnr }) or vim.lsp.buf_get_clients(bufnr)
  for _, c in pairs(list) do
    if c.name == "pact_lsp" then
      return c
    end
  end
end

-- command runs a command of the server on the selector at the cursor and passes on the answer.
function M.command(name, done)
  local bufnr = vim.api.nvim_get_current_buf()
  local client = client_of(bufnr)
  if not client then
    return vim.notify("pact-lsp is not attached to this buffer", vim.log.levels.WARN)
  end
  local at = vim.lsp.util.make_position_params(0, client.offset_encoding)
  local params = { command = name, arguments = { at.textDocument.uri, at.position } }
  local function answered(err, result)
    if err then
      return vim.notify(err.message, vim.log.levels.WARN)
    end
    done(result)
  end
  if vim.fn.has("nvim-0.11") == 1 then
    client:request("workspace/executeCommand", params, answered, bufnr)
  else
    client.request("workspace/executeCommand", params, answered, bufnr)
  end
end

local function show(markdown)
  vim.lsp.util.open_floating_preview(vim.split(markdown, "\n"), "markdown", { border = "single" })
end

function M.explain() M.command("pactkit.explain", show) end

function M.evaluate() M.command("pactkit.evaluate", show) end

function M.profile() M.command("pactkit.profile", show) end

function M.copy_canonical()
  M.command("pactkit.copyCanonical", function(text)
    vim.fn.setreg('"', text)
    vim.notify("Copied " .. text)
  end)
end

-- fix_all corrects every selector of the buffer, and waits until that is done: for BufWritePre.
function M.fix_all(bufnr)
  local client = client_of(bufnr)
  if not client then
    return
  end
  local last = vim.api.nvim_buf_line_count(bufnr)
  local params = {
    textDocument = { uri = vim.uri_from_bufnr(bufnr) },
    range = { start = { line = 0, character = 0 }, ["end"] = { line = last, character = 0 } },
    context = { diagnostics = {}, only = { "source.fixAll.pactkit" } },
  }
  local answer = vim.lsp.buf_request_sync(bufnr, "textDocument/codeAction", params, 2000)
  for _, action in ipairs(answer and answer[client.id] and answer[client.id].result or {}) do
    if action.edit then
      vim.lsp.util.apply_workspace_edit(action.edit, client.offset_encoding or "utf-16")
    end
  end
end

-- setup registers the language, and attaches the server to the buffers that can contain selectors.
-- Options: cmd and the other options of vim.lsp.start; fix_on_save.
function M.setup(options)
  options = options or {}
  local fix_on_save = options.fix_on_save
  options.fix_on_save = nil
  local group = vim.api.nvim_create_augroup("pactkit", {})
  vim.api.nvim_create_autocmd({ "BufRead", "BufNewFile" }, {
    group = group, pattern = "*.pactsel", callback = function() vim.bo.filetype = "pact-selector" end,
  })
  vim.api.nvim_create_autocmd("FileType", {
    group = group, pattern = "pact-selector", callback = function() vim.bo.commentstring = "# %s" end,
  })
  require("pactkit.treesitter").setup(group)
  vim.api.nvim_create_autocmd("Syntax", {
    group = group, pattern = { "go", "python", "javascript", "javascriptreact", "typescriptreact", "typescript", "rust", "java", "ruby" },
    callback = function() vim.cmd("runtime syntax/pact-strings.vim") end,
  })
  if vim.lsp.config and vim.lsp.enable then -- Neovim 0.11
    vim.lsp.config("pact_lsp", vim.tbl_extend("keep", options, {
      cmd = { "pact-lsp" }, filetypes = M.filetypes, root_markers = M.root_markers,
      init_options = M.settings, settings = { pactkit = M.settings },
    }))
    vim.lsp.enable("pact_lsp")
  else
    vim.api.nvim_create_autocmd("FileType", {
      group = group, pattern = M.filetypes, callback = function(e) M.attach(e.buf, options) end,
    })
  end
  if fix_on_save then
    vim.api.nvim_create_autocmd("BufWritePre", { group = group, callback = function(e) M.fix_all(e.buf) end })
  end
  vim.api.nvim_create_user_command("PactExplain", M.explain, {})
  vim.api.nvim_create_user_command("PactEvaluate", M.evaluate, {})
  vim.api.nvim_create_user_command("PactProfile", M.profile, {})
  vim.api.nvim_create_user_command("PactCopyCanonical", M.copy_canonical, {})
end

return M
