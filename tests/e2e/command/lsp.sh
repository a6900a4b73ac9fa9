#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf nvim setpriv
# where: native
# timeout: 120
#
# dtx --lsp with neovim, headless and without rights: diagnostics, completion, hover, definition (of members of structs too),
# rename, formatting.
# Then broken messages: the server answers or ends, and never crashes. The syntax files are those of the tables.
. "$(dirname "$0")/../lib.sh"

# A folder that another user can read.
tests=$tmp tmp=$(mktemp -d /tmp/dtx-lsp.XXXXXX)
trap 'rm -rf "$tmp" "$tests"' EXIT
mkdir "$tmp/bin"
cp "$DTX" "$tmp/bin/dtx"
cp -r editors "$tmp"
cat >"$tmp/a.d" <<'D'
#!/usr/bin/dtx -qs
BEGIN
{
	self->start = timestamp;
	trace(self->start + nosuchname);
}

tick-1s { trace(curthread->tgi); }
D
cat >"$tmp/drive.lua" <<'L'
local out = io.open(os.getenv("OUT"), "w")
local function say(...) out:write(string.format(...), "\n") out:flush() end
vim.cmd("set runtimepath+=" .. os.getenv("EDITORS") .. "/vim | filetype on | syntax on")
dofile(os.getenv("EDITORS") .. "/dtx.lua")
vim.cmd("edit " .. os.getenv("FILE"))
say("filetype %s", vim.bo.filetype)
say("syntax %s", vim.fn.synIDattr(vim.fn.synID(4, 18, 1), "name"))
local function ask(method, params)
	local answers = vim.lsp.buf_request_sync(0, method, params, 5000)
	for _, a in pairs(answers or {}) do return a.result, a.error end
end
local function at(line, column, more)
	return vim.tbl_extend("force", { textDocument = vim.lsp.util.make_text_document_params(),
		position = { line = line, character = column } }, more or {})
end
vim.wait(5000, function() return #vim.diagnostic.get(0) > 0 end)
for _, d in ipairs(vim.diagnostic.get(0)) do say("diagnostic %d:%d %s", d.lnum, d.col, d.message:gsub("\n.*", "")) end
for _, item in ipairs(ask("textDocument/completion", at(7, 30)).items) do say("complete %s", item.label) end
say("hover %s", ask("textDocument/hover", at(3, 18)).contents.value:match("uint64_t timestamp"))
say("definition %d", ask("textDocument/definition", at(4, 16)).range.start.line)
local _, refused = ask("textDocument/rename", at(3, 18, { newName = "x" }))
say("refused %s", refused.message)
vim.api.nvim_win_set_cursor(0, { 5, 16 })
vim.lsp.buf.rename("begin")
vim.wait(5000, function() return vim.fn.getline(5):find("begin") end)
say("renamed %s", vim.trim(vim.fn.getline(4) .. vim.fn.getline(5)))
vim.fn.setline(8, "tick-1s{trace(curthread->tgid);}")
vim.lsp.buf.formatting_sync(nil, 5000)
for i, line in ipairs(vim.api.nvim_buf_get_lines(0, 7, -1, false)) do say("formatted %d %s", i, line) end
local function member(line, column)
	local d = ask("textDocument/definition", at(line, column))
	local lines = vim.fn.readfile(vim.uri_to_fname(d.uri))
	say("member %s of %s", vim.trim(lines[d.range.start.line + 1]), lines[1])
end
member(9, 19)
vim.fn.setline(10, "	trace(fds[0].fi_pathname);")
member(9, 16)
say("end")
vim.cmd("qa!")
L
chmod -R a+rX "$tmp"
: >"$tmp/said"
chmod a+rw "$tmp/said"
mkdir "$tmp/home"
chown 65534 "$tmp/home" "$tmp/a.d" "$tmp"
(cd "$tmp" && env -i PATH="$tmp/bin:$PATH" HOME="$tmp/home" TERM=dumb EDITORS="$tmp/editors" OUT="$tmp/said" FILE="$tmp/a.d" XDG_STATE_HOME="$tmp/home" XDG_RUNTIME_DIR="$tmp/home" setpriv --reuid 65534 \
	--regid 65534 --clear-groups timeout 40 nvim --headless -n -i NONE -u NONE -c "luafile $tmp/drive.lua" -c "qa!") >"$tmp/log" 2>&1
same "filetype dtx
syntax dtxVariable
diagnostic 4:21 unknown name 'nosuchname'
diagnostic 7:27 'struct task_struct' has no member 'tgi'
complete tgid
hover uint64_t timestamp
definition 3
refused this is a name of D: it cannot be changed
renamed self->begin = timestamp;	trace(self->begin + nosuchname);
formatted 1 tick-1s
formatted 2 {
formatted 3 	trace(curthread->tgid);
formatted 4 }
member pid_t tgid; of struct task_struct {
member string fi_pathname; of typedef struct fileinfo {
end" "$(cat "$tmp/said")" "neovim; $(cat "$tmp/log")"
! ls "$tmp/home" | grep dtx-lsp- || fail 'definitions are left behind'

# --- broken messages --------------------------------------------------------------------------------
frame() { printf 'Content-Length: %d\r\n\r\n%s' "${#1}" "$1"; }
begin=$(frame '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}')
open=$(frame '{"method":"textDocument/didOpen","params":{"textDocument":{"uri":"u","text":"BEGIN { x->y @ $ ` "}}}')
broken() { # INPUT: the server ends by itself, with status 0 or 1
	printf '%s' "$1" | timeout 20 "$DTX" --lsp >"$tmp/out" 2>"$tmp/err"
	case $? in 0 | 1) ;; *) fail "status of --lsp: $(cat "$tmp/err"), after: $1" ;; esac
}
for method in textDocument/completion textDocument/hover textDocument/definition textDocument/rename textDocument/formatting shutdown exit x; do
	for params in '{}' '[]' 'null' '7' '{"textDocument":{"uri":"u"},"position":{"line":-5,"character":99999999999}}' \
		'{"textDocument":{"uri":"u"},"position":{"line":0,"character":13},"newName":""}' '{"textDocument":7,"position":"x"}'; do
		broken "$begin$open$(frame "{\"id\":2,\"method\":\"$method\",\"params\":$params}")"
	done
done
for text in 'x' $'Content-Length: 5\r\n\r\n{{{{{' $'Content-Length: 99999999999999\r\n\r\n{}' $'Content-Length: -1\r\n\r\n{}' $'Content-Length: 50\r\n\r\n{}' '[' 'Content-Length:'; do
	broken "$begin$text"
done
for ((i = 0; i < 40; i++)); do
	at=$((RANDOM % ${#open}))
	broken "$begin${open:0:at}$(printf '\\x%x' $((RANDOM % 256)) | xargs -0 printf '%b' 2>/dev/null | tr -d '\0')${open:at + 1}"
done

editors/gen --check || fail "editors/gen was not run after a change of the tables"
exit 0
