# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
#
# A terminal whose screen can be read, and whose keys can be pressed. Sourced: . "$(dirname "$0")/terminal.bash"
#
#     terminal 80 24 TERM=vt100       opens one, with a shell and these variables
#     line 'COMMAND'                  types a line; the shell says "status N" when it has ended
#     keys q Tab                      presses keys, as tmux names them
#     wait_for REGEX                  until a line of the screen matches
#     screen                          the lines of the screen
. "$(dirname "$0")/../lib.sh"
trap 'tm kill-server 2>/dev/null; rm -rf "$tmp"' EXIT

socket=$tmp/tmux
tm() { tmux -S "$socket" "$@"; }
screen() { tm capture-pane -p; }
keys() { tm send-keys "$@"; }
line() { tm send-keys -l "clear; $1; echo status \$?" && keys Enter; }

terminal() {
	local cols=$1 rows=$2
	shift 2
	printf '%s\n' 'set -g default-terminal screen-256color' 'set -g escape-time 0' 'set -g status off' >"$tmp/tmux.conf"
	tm kill-server 2>/dev/null
	socket+=.                        # the old server may not be gone yet
	env -u TMUX LC_ALL=C.UTF-8 tmux -u -S "$socket" -f "$tmp/tmux.conf" new-session -d -x "$cols" -y "$rows" \
		"exec env PS1='> ' $* DTX=$(readlink -f "$DTX") bash --norc --noprofile --noediting"
	wait_for '^>'
}

# wait_for REGEX [SECONDS]
on_screen() { screen | grep -qE -- "$1"; }
wait_for() {
	if until_true "${2:-15}" on_screen "$1"; then return; fi
	screen >&2
	fail "the screen never shows: $1"
}

# shows FROM,TO 'EXPECTED' WHAT: these lines of the screen
shows() { same "$2" "$(screen | sed -n "${1}p")" "$3"; }
