#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf tmux zsh fish
# where: native
# timeout: 120
# waits: for three shells
#
# TAB in bash, zsh and fish as one presses it: what is on the line afterwards.
. "$(dirname "$0")/../lib.sh"

mkdir "$tmp/bin" "$tmp/home"
ln -s "$(readlink -f "$DTX")" "$tmp/bin/dtx"
echo "PS1='> '; . $PWD/completion/dtx.bash" >"$tmp/bashrc"
echo "PS1='> '; fpath=($PWD/completion \$fpath); autoload -U compinit; compinit -u -d $tmp/dump" >"$tmp/home/.zshrc"
export PATH=$tmp/bin:$PATH HOME=$tmp/home ZDOTDIR=$tmp/home
screen() { tmux -S "$tmp/tmux $sh" "$@"; }         # a server for each shell: one that ends takes no other
sh=''
trap 'screen kill-server 2>/dev/null; rm -rf "$tmp"' EXIT

# shell NAME COMMAND: the shell that the lines below are typed into
shell() {
	screen kill-server 2>/dev/null
	sh=$1
	screen new-session -d -x 150 -y 30 "$2"
	waits '^> *$'
}
# waits REGEX: until a line of the screen is so
has() { screen capture-pane -p | grep -qE -- "$1"; }
waits() {
	until_true 10 has "$1" || fail "$sh: no line $1 on the screen: $(screen capture-pane -p | head -5)"
}
# cleared: there is but a prompt on the screen.
cleared() {
	[ "$(screen capture-pane -p | tr -d ' \n')" = '>' ] && return
	screen send-keys C-l
	return 1
}
# tab TYPED LINE: what is on the line after TAB
tab() {
	local line
	screen send-keys C-c
	awaits cleared
	screen send-keys -l "dtx $1"
	screen send-keys Tab
	line=$(sed 's/[][\.*^$(){}|+?]/\\&/g' <<<"> dtx $2")
	waits "^$line *$"
}
all() {
	tab "-n 'sysc" "-n 'syscall:"
	tab "-n 'syscall::read:entry /execn" "-n 'syscall::read:entry /execname"
	tab "-n 'syscall::read:entry { printf(\"%d\", args.co" "-n 'syscall::read:entry { printf(\"%d\", args.count"
	tab "-n \"syscall::read:entry { printf(\\\"%d\\\", args.co" "-n \"syscall::read:entry { printf(\\\"%d\\\", args.count"
	tab "-n io:::sta" "-n io:::start"
	tab "-xbufpolicy=r" "-xbufpolicy=ring"
	tab "--format=js" "--format=json"
	tab "--help quanti" "--help quantize"
	tab "-s examples/opensn" "-s examples/opensnoop."
}
shell bash "bash --noprofile --rcfile $tmp/bashrc -i"
all
shell zsh "zsh -i"
all
shell fish "fish --no-config -i -C 'function fish_prompt; echo \"> \"; end; source $PWD/completion/dtx.fish'"
all
exit 0
