#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root
#
# Called by another name, dtx says that name: before each message, in the commands it advises, in the usage and in the examples.
. "$(dirname "$0")/../lib.sh"

ln -s "$(realpath "$DTX")" "$tmp/dtrace"
echo "BEGIN { trace(curthread->nosuch); }" >"$tmp/member.d"
echo "exit 3" >"$tmp/three.sh"
printf '#error no\nBEGIN { }\n' >"$tmp/cpp.d"

# said WHAT ARG…: what it printed says dtrace and nowhere dtx as a command or before a message.
said() {
	local what=$1
	shift
	timeout 10 "$tmp/dtrace" "$@" >"$tmp/out" 2>"$tmp/err" <"${from:-/dev/null}"
	cat "$tmp/out" >>"$tmp/err"
	grep -q "$what" "$tmp/err" || { cat "$tmp/err" >&2; fail "dtrace $*: not said: $what"; }
	if grep -nE '^dtx|(run|with|; |: |usage:|  )dtx([ :]|$)|dtx -|[[:cntrl:]]' "$tmp/err" | grep -v $'\t' >&2; then fail "dtrace $*: says dtx"; fi
}
said '^usage: dtrace '
said '^  dtrace -n' --help
said '^dtrace: invalid option' -z
said '^usage: dtrace ' -z
said '^dtrace: failed to set -x nosuch' -x nosuch -n BEGIN
said '^dtrace: cannot read the script /nonexistent.d' -s /nonexistent.d
said '^dtrace: -p needs' -p x -n BEGIN
said '^dtrace: .*process' -p 99999999 -n BEGIN
said 'help: dtrace -l lists' -n 'nosuch:::'
said '^dtrace: no probe matches' -ln 'nosuch:::'
said 'dtrace -n ' -l '*sleep*'
said 'D_TYPE_MEMBER' -s "$tmp/member.d"
said 'dtrace --features' -n 'BEGIN { kfunc_allowed("x"); }'
said 'the preprocessor' -C -s "$tmp/cpp.d"
said '^dtrace: there is no stage\|D_SYNTAX' -S nosuch -n 'BEGIN {'
said '^dtrace: .*is not an image' -r "$tmp/member.d"
said '^dtrace: cannot read the image' -r /nonexistent
said '^dtrace: cannot open' -o /nonexistent/file -n 'BEGIN { exit(0); }'
said "^dtrace: description 'BEGIN' matched 1 probe" -n 'BEGIN { exit(0); }'
said '^dtrace: error in ' -qn 'BEGIN { x = 0; trace(1 / x); } BEGIN { exit(0); }'
said '^dtrace: lost in all by dtrace:::BEGIN' -n 'BEGIN { x = 0; trace(1 / x); } BEGIN { exit(0); }'
said '^dtrace: 1 failed speculation' -qn 'BEGIN { a = speculation(); b = speculation(); exit(0); }'
said '^dtrace: warning: .*exited with status 3' -n 'tick-1h { }' -c "sh $tmp/three.sh"
said '^dtrace: unrecognized option' --nothing -n BEGIN
DTX_OPT_NOSUCH=1 said '^dtrace: warning: the environment variable' -n 'BEGIN { exit(0); }'
