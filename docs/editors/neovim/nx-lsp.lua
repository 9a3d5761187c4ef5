-- NX in Neovim (0.7 or newer): put this file into ~/.config/nvim/plugin/.
--
-- The command is looked for on the PATH; to choose another, set it before:
--   vim.g.nx_lsp_command = { "/path/to/venv/bin/nx-lsp", "serve" }

vim.api.nvim_create_autocmd({ "BufRead", "BufNewFile" }, {
  pattern = "*.nx",
  callback = function() vim.bo.filetype = "nx" end,
})

local clients = {}

-- The program of a file is the folder Neovim was started in, if the file is below it; else the
-- nearest folder above that is under version control; else the file's own folder.
local function root_of(file)
  local here = vim.fn.getcwd()
  if vim.startswith(file, here .. "/") then
    return here
  end
  local git = vim.fn.finddir(".git", vim.fn.fnamemodify(file, ":h") .. ";")
  return vim.fn.fnamemodify(git ~= "" and git or file, ":p:h" .. (git ~= "" and ":h" or ""))
end

vim.api.nvim_create_autocmd("FileType", {
  pattern = "nx",
  callback = function(event)
    local file = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(event.buf), ":p")
    local root = root_of(file)
    if not (clients[root] and vim.lsp.get_client_by_id(clients[root])) then
      clients[root] = vim.lsp.start_client({
        name = "nx-lsp",
        cmd = vim.g.nx_lsp_command or { "nx-lsp", "serve" },
        root_dir = root,
        workspace_folders = { { uri = vim.uri_from_fname(root), name = root } },
        settings = vim.g.nx_lsp_settings,
      })
    end
    vim.lsp.buf_attach_client(event.buf, clients[root])
    local keys = { buffer = event.buf, silent = true }
    vim.keymap.set("n", "K", vim.lsp.buf.hover, keys)
    vim.keymap.set("n", "<leader>ca", vim.lsp.buf.code_action, keys)
  end,
})
