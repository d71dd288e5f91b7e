---@brief
---
--- https://github.com/pactkit/pactkit
---
--- `pact-lsp`, the language server of PACT selectors: in selector files, and in the strings of other files that hold
--- selectors. `go install github.com/pactkit/pactkit/cmd/pact-lsp@latest` installs it.
---
--- Neovim has to know the file type of selector files:
---
--- ```lua
--- vim.filetype.add({ extension = { pactsel = 'pact-selector' } })
--- ```

---@type vim.lsp.Config
return {
  cmd = { 'pact-lsp' },
  filetypes = {
    'pact-selector', 'go', 'python', 'javascript', 'javascriptreact', 'typescriptreact', 'typescript', 'rust',
    'java', 'ruby', 'json', 'jsonc', 'yaml', 'toml', 'markdown',
  },
  root_markers = { '.pactkit.toml', '.git' },
  settings = {},
}
