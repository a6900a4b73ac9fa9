#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf nvim
# where: native
#
# neovim, headless, mends a program of eight mistakes: eight diagnostics; the first quick fix of each is applied, one after the
# other, and the program compiles. Among them are a mistake of grammar, which does not hide unknown names elsewhere, and one of an
# option.
. "$(dirname "$0")/../lib.sh"

mkdir "$tmp/bin" "$tmp/home"
cp "$DTX" "$tmp/bin/dtx"
cat >"$tmp/eight.d" <<'D'
#pragma D option quite

syscal::openat:entry
/execname = "cat"/
{
	self->path = copyinst(arg1);
}

BEGIN
{
	printf("%s %d\n", "started", timestmp);
	printf("%d\n", curpsinfo->pr_pidd);
	@ = quantise(pid);
}

tick-1s
{
	printf("ä") /* the end; of it */
	exit(0);
}
D
cat >"$tmp/drive.lua" <<'L'
local out = io.open(os.getenv("OUT"), "w")
local function say(...) out:write(string.format(...), "\n") out:flush() end
vim.cmd("set runtimepath+=editors/vim | filetype on")
dofile("editors/dtx.lua")
vim.ui.select = function(items, _, chosen) chosen(items[1], 1) end
local answers, publish = 0, vim.lsp.handlers["textDocument/publishDiagnostics"]
vim.lsp.handlers["textDocument/publishDiagnostics"] = function(...) publish(...) answers = answers + 1 end
local function mistakes(seen)
	if not vim.wait(15000, function() return answers > seen end, 20) then return nil end
	local left = vim.diagnostic.get(0)
	table.sort(left, function(a, b) return a.lnum < b.lnum end)
	return left
end
vim.cmd("edit " .. os.getenv("FILE"))
local left, fixes = mistakes(0), 0
while left and #left > 0 and fixes < 20 do
	local seen = answers
	say("%d: %s", #left, left[1].message:gsub("\n.*", ""))
	vim.api.nvim_win_set_cursor(0, { left[1].lnum + 1, left[1].col })
	vim.lsp.buf.code_action()
	left, fixes = mistakes(seen), fixes + 1
end
say(left and "none after %d fixes" or "fix %d was not applied", fixes)
vim.cmd("write! | qa!")
L
PATH="$tmp/bin:$PATH" HOME="$tmp/home" XDG_STATE_HOME="$tmp/home" XDG_RUNTIME_DIR="$tmp/home" TERM=dumb OUT="$tmp/said" FILE="$tmp/eight.d" \
	timeout 25 nvim --headless -n -i NONE -u NONE -c "luafile $tmp/drive.lua" -c "qa!" >"$tmp/log" 2>&1
same "8: there is no option 'quite'
7: 'syscal::openat:entry' matches no probe
6: a built-in variable is read-only
5: unknown function 'copyinst'
4: unknown name 'timestmp'
3: 'psinfo_t' has no member 'pr_pidd'
2: unknown function 'quantise'
1: unexpected 'exit'
none after 8 fixes" "$(cat "$tmp/said")" "neovim; $(cat "$tmp/log")"
"$DTX" -eqs "$tmp/eight.d" || fail "the program with its fixes: $(cat "$tmp/eight.d")"
grep -qxF $'\tprintf("ä"); /* the end; of it */' "$tmp/eight.d" || fail "the ';' is elsewhere: $(cat "$tmp/eight.d")"
