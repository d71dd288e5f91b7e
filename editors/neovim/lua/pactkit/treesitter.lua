-- Highlighting with tree-sitter, in Neovim 0.10 and newer: selector files, and selectors in strings
-- of languages whose parser is installed. The grammar and its queries are in
-- ../tree-sitter-pactsel.
local M = {}

local here = debug.getinfo(1, "S").source:sub(2)
local grammar = vim.fn.fnamemodify(here, ":p:h:h:h:h") .. "/tree-sitter-pactsel"
local parsers = { "pactsel", "pactsel_inline" }

-- build compiles the parsers with cc, or the compiler that is named, into the data folder of Neovim.
function M.build(compiler)
  local folder = vim.fn.stdpath("data") .. "/site/parser"
  vim.fn.mkdir(folder, "p")
  for _, name in ipairs(parsers) do
    local src = grammar .. "/" .. name .. "/src"
    local done = vim.system({
      compiler or "cc", "-shared", "-fPIC", "-O2", "-std=c11", "-I", src, "-o", folder .. "/" .. name .. ".so",
      src .. "/parser.c", src .. "/scanner.c",
    }):wait()
    if done.code ~= 0 then
      error(("pactkit: %s cannot be compiled: %s"):format(name, done.stderr))
    end
  end
  vim.notify("pactkit: the parsers are in " .. folder)
end

-- setup starts tree-sitter in selector files, if the parsers are installed, and reports whether they are.
function M.setup(group)
  if vim.fn.has("nvim-0.10") == 0 or vim.fn.isdirectory(grammar) == 0 then
    return false
  end
  vim.api.nvim_create_user_command("PactBuildParsers", function() M.build() end, {})
  if #vim.api.nvim_get_runtime_file("parser/pactsel.*", false) == 0 then
    return false
  end
  vim.opt.runtimepath:append(grammar)
  vim.treesitter.language.register("pactsel", "pact-selector")
  vim.api.nvim_create_autocmd("FileType", {
    group = group, pattern = "pact-selector", callback = function(e) vim.treesitter.start(e.buf, "pactsel") end,
  })
  return true
end

return M
