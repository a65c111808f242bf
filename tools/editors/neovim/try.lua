-- Tries boardwright.lua in Neovim without a window, as somebody would who mends a rule and gives a name another:
--
--   mkdir -p /tmp/try/nvim/plugin && cp tools/editors/neovim/boardwright.lua /tmp/try/nvim/plugin/
--   sed 's/step(forward/step(forwad/' game-defs/races/breakthrough.yaml >/tmp/try/mine.yaml
--   XDG_CONFIG_HOME=/tmp/try PATH=$PWD/build/release/tools:$PATH \
--     nvim --headless /tmp/try/mine.yaml -c 'luafile tools/editors/neovim/try.lua'
--
-- Ends with 0, or with 1 at the first that isn't as it should be.
local function say(text) io.stdout:write(text .. "\n") end
local function check(holds, what)
  say((holds and "ok      " or "FAILED  ") .. what)
  if not holds then vim.cmd("cquit") end
end
local function wait(condition) return vim.wait(20000, condition, 20) end
local function diagnostics() return vim.diagnostic.get(0) end
local function lines() return vim.api.nvim_buf_get_lines(0, 0, -1, false) end

local function ask(method, more)
  local params = vim.tbl_extend("force", vim.lsp.util.make_position_params(), more or {})
  for _, answer in pairs(vim.lsp.buf_request_sync(0, method, params, 20000) or {}) do return answer.result end
end

local function put_cursor_on(words)
  for i, line in ipairs(lines()) do
    local at = line:find(words, 1, true)
    if at then return vim.api.nvim_win_set_cursor(0, { i, at - 1 }) end
  end
  check(false, "the file has " .. words)
end

wait(function() return #vim.tbl_values(vim.lsp.buf_get_clients(0)) > 0 end)
check(#vim.tbl_values(vim.lsp.buf_get_clients(0)) == 1, "the server is started")
wait(function() return #diagnostics() > 0 end)
check(#diagnostics() == 1 and diagnostics()[1].message:find("forwad", 1, true) ~= nil, "the error is told")
put_cursor_on("forwad")
check(#(ask("textDocument/codeAction", {
  range = { start = vim.lsp.util.make_position_params().position, ["end"] = vim.lsp.util.make_position_params().position },
  context = { diagnostics = {} },
}) or {}) > 0, "a code action mends it")
vim.cmd("%s/forwad/forward/")
check(wait(function() return #diagnostics() == 0 end), "mended, nothing is told")

put_cursor_on("last_row then")
local hover = ask("textDocument/hover")
check(hover and vim.inspect(hover.contents):find("last_row", 1, true) ~= nil, "hover explains a word")

vim.api.nvim_buf_set_lines(0, -1, -1, false, { "def" })
vim.api.nvim_win_set_cursor(0, { #lines(), 0 })
local completion = ask("textDocument/completion", { position = { line = #lines() - 1, character = 3 } })
local found = false
for _, item in ipairs(completion.items or completion) do found = found or item.label == "define" end
check(found, "completion offers a section")
vim.api.nvim_buf_set_lines(0, -2, -1, false, {})

put_cursor_on("rows - 1")
check(#(ask("textDocument/references", { context = { includeDeclaration = true } }) or {}) == 5, "references of a name")
vim.lsp.buf.rename("height_of_it")
wait(function() return vim.fn.search("height_of_it", "nw") > 0 end)
local _, count = table.concat(lines(), "\n"):gsub("height_of_it", "")
check(count == 5, "it is renamed wherever it stands")
vim.wait(600)
check(#diagnostics() == 0, "and nothing is told of that")

vim.api.nvim_buf_set_lines(0, -1, -1, false, { "define:", "  far: here   in last_row" })
if vim.lsp.buf.format then vim.lsp.buf.format({ timeout_ms = 20000 }) else vim.lsp.buf.formatting_sync(nil, 20000) end
check(lines()[#lines()] == "  far: here in last_row", "the layout is put in order")
vim.cmd("qall!")
