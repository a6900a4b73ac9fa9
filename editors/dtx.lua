-- SPDX-License-Identifier: BSD-2-Clause
-- For neovim (0.7 and later): dofile() this from init.lua, and D programs have diagnostics, completion
-- (CTRL-X CTRL-O), vim.lsp.buf.hover(), definition(), rename() and formatting().
vim.api.nvim_create_autocmd("FileType", {
	pattern = "dtx",
	callback = function()
		local client = vim.lsp.start_client({ name = "dtx", cmd = { "dtx", "--lsp" }, root_dir = vim.fn.getcwd() })
		if client then
			vim.lsp.buf_attach_client(0, client)
			vim.bo.omnifunc = "v:lua.vim.lsp.omnifunc"
		end
	end,
})
