# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# shellcheck disable=SC2154 # tmp is of lib.sh
#
# For the tests of examples/one-liners.md. Sourced, after lib.sh.

# one_of N SECONDS: run the command in $tmp/N.line, interrupt it after so long; its status in $tmp/N.status.
one_of() {
	local line
	read -r line <"$tmp/$1.line"
	eval "timeout --preserve-status -s INT $2 \"\$DTX\" ${line#dtx }" >"$tmp/$1.out" 2>"$tmp/$1.err" </dev/null
	echo $? >"$tmp/$1.status"
}

# runs_at_most N: of the processes in the background.
runs_at_most() { [ "$(jobs -rp | wc -l)" -le "$1" ]; }

# run_oneliners TEXT LEAST: run the commands of the text, lines of four blanks and "dtx", all at once (in a guest, which
# is emulated, three), for some seconds while files are read and programs started; there must be LEAST or more, and
# each must end well.
run_oneliners() {
	local lines n i seconds=$((${DTX_GUEST:+7 +} 3 * ${DTX_SLOW:-1})) load
	mapfile -t lines < <(grep '^    dtx ' <<<"$1")
	n=${#lines[@]}
	[ "$n" -ge "$2" ] || fail "$n one-liners, not $2 or more"
	bash -c 'while cat /etc/passwd >"$1" && rm "$1"; do sleep 0.3; done' load "$tmp/copy" &
	load=$!
	for ((i = 1; i <= n; i++)); do
		echo "${lines[i - 1]#    }" >"$tmp/$i.line"
		[ -z "${DTX_GUEST:-}" ] || until_true 600 runs_at_most 3
		one_of $i "$seconds" &
	done
	until_true 600 runs_at_most 1
	kill $load
	wait
	for ((i = 1; i <= n; i++)); do
		# Interrupted before it was ready, on a busy machine: once more, alone.
		[ "$(cat "$tmp/$i.status")" != 130 ] || one_of $i $((${DTX_GUEST:+5 +} 12 * ${DTX_SLOW:-1}))
		if [ "$(cat "$tmp/$i.status")" != 0 ] || grep -q '^dtx: error:' "$tmp/$i.err"; then
			cat "$tmp/$i".{line,err} >&2
			fail "one-liner $i ends with status $(cat "$tmp/$i.status")"
		fi
	done
}
