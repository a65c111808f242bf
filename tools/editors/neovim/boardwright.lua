-- Put this into a folder `plugin` of Neovim's configuration. Rule files are YAML to Neovim; what has the line
-- `game:` or `extends:` among its first ones is one of ours.
local config = { name = "boardwright", cmd = { "boardwright", "lsp" }, root_dir = vim.fn.getcwd() }
local client -- of Neovim 0.7, which doesn't look for a running one itself

local function attach(buffer)
  if vim.lsp.start then return vim.lsp.start(config) end
  client = client or vim.lsp.start_client(config)
  vim.lsp.buf_attach_client(buffer, client)
end

vim.api.nvim_create_autocmd("FileType", {
  pattern = "yaml",
  callback = function(args)
    for _, line in ipairs(vim.api.nvim_buf_get_lines(args.buf, 0, 20, false)) do
      if line:match("^game:") or line:match("^extends:") then
        attach(args.buf)
        return
      end
    end
  end,
})
