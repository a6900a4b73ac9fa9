# SPDX-License-Identifier: BSD-2-Clause
what="an aggregation of 100,000 keys, shown each second, in the terminal (dtx) or on a page: processor time of dtx" unit="% of one CPU" target=5
tools="dtx page" rounds=3

tool_dtx() {
	have tmux || return
	printf '#!/bin/sh\nexec %q -q --live -x aggsize=64m -n %q\n' "$DTX" 'int i; syscall::getppid:entry { @x[i++ % 100000] = count(); }' >"$tmp/live"
	chmod +x "$tmp/live"
	TERM=xterm-256color tmux -S "$tmp/tmux" new-session -d -x 110 -y 34 "$tmp/live"
	sleep 2
	LOAD_OUT=$tmp/load "$made/load" getppid 25000
	sleep 3
	busy "$(tmux -S "$tmp/tmux" list-panes -F '#{pane_pid}')" 10
	tmux -S "$tmp/tmux" kill-server
}
tool_page() {
	local watcher
	served 100000
	request /events >"$tmp/events" &
	watcher=$!
	sleep 3
	busy $served 10
	kill $served
	wait $served $watcher
	grep -q '"nrows":100000' "$tmp/events" || echo 'not all keys were there' >&2
}
