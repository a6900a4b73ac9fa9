#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes
# timeout: 60
#
# A kernel function that eight threads call: what was counted and what the kernel skipped are the calls; it skips
# none where it does not preempt programs.
. "$(dirname "$0")/../lib.sh"

calls=160000
dtx -qn 'fbt::'"$sys"'getpgid:entry /pid == $target/ { @ = count(); }' -c "$t/threads 8 $((calls / 8)) syscall"
counted=$(tr -d ' \n' <"$tmp/out") skipped=$(skipped)
[ $((counted + skipped)) = $calls ] || fail "$counted counted and $skipped skipped of $calls: $(cat "$tmp/err")"
preempts || [ "$skipped" = 0 ] || fail "$skipped skipped: $(cat "$tmp/err")"
