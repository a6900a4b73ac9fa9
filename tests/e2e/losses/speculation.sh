#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# Speculations: a full one's records are printed or counted; speculation() without a free number is counted.
. "$(dirname "$0")/../lib.sh"

counted() { awk -v re="^dtx: [0-9]+ $1\$" '$0 ~ re { n += $2 } END { print n + 0 }' "$tmp/err"; }

dtx -qx specsize=4k -n 'BEGIN { s = speculation(); }
	syscall::getpgid:entry /pid == $target/ { speculate(s); printf("held %d\n", arg0); }
	syscall::exit_group:entry /pid == $target/ { commit(s); }' -c "$t/threads 1 500 syscall"
printed=$(grep -c '^held' "$tmp/out") lost=$(counted 'speculative drops?')
[ "$lost" -gt 0 ] || fail "nothing was lost: $(cat "$tmp/err")"
[ $((printed + lost)) = 500 ] || fail "$printed printed and $lost lost of 500: $(cat "$tmp/err")"

dtx -qx nspec=3 -n 'syscall::getpgid:entry /pid == $target/ { this->s = speculation(); @[this->s ? "got" : "none"] = count(); }' \
	-c "$t/threads 1 500 syscall"
[ "$(value got)" = 3 ] || fail "$(value got) numbers of 3: $(cat "$tmp/out")"
[ "$(value none)" = "$(counted 'failed speculations \\(no speculative buffer available\\)')" ] || fail "$(cat "$tmp/out" "$tmp/err")"
[ "$(value none)" = 497 ] || fail "$(value none) failed of 497"
