#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# A full associative array: what can be read again and the dynamic variable drops together are the stores.
. "$(dirname "$0")/../lib.sh"

run() {
	dtx "$@" -qn 'int v[int64_t];
		syscall::getpgid:entry /pid == $target && !v[arg0]/ { v[arg0] = 1; @stores = count(); }
		syscall::getpgid:return /pid == $target/ { @calls = count(); }
		syscall::getpgid:entry /pid == $target && v[arg0]/ { @kept = count(); }
		END { printa("%@d ", @stores); printa("%@d ", @kept); }' -c "$t/threads 2 3000 syscall"
	read -r stores kept rest <"$tmp/out"
	lost=$(awk '/^dtx: [0-9]+ dynamic variable drops?$/ { n += $2 } END { print n + 0 }' "$tmp/err")
}
run -x dynvarsize=8k
[ "$stores" = 6000 ] || fail "$stores stores, not 6000: $rest"
[ "$lost" -gt 0 ] || fail "nothing was lost: $(cat "$tmp/err")"
[ $((kept + lost)) = 6000 ] || fail "$kept kept and $lost lost of 6000"
run
[ "$kept" = 6000 ] && [ "$lost" = 0 ] || fail "by default $kept kept and $lost lost of 6000"

# String keys, which are large: by default they are as many as a part of the memory holds, and the others are counted.
dtx -qn 'int v[string];
	syscall::getpgid:entry /pid == $target && !v[lltostr(arg0)]/ { v[lltostr(arg0)] = 1; }
	syscall::getpgid:entry /pid == $target && v[lltostr(arg0)]/ { @ = count(); }' -c "$t/threads 1 20000 syscall"
kept=$(tr -d ' \n' <"$tmp/out") lost=$(awk '/^dtx: [0-9]+ dynamic variable drops?$/ { n += $2 } END { print n + 0 }' "$tmp/err")
[ $((kept + lost)) = 20000 ] || fail "string keys: $kept kept and $lost lost of 20000"
[ "$lost" = 0 ] || [ "$(awk '/^MemTotal/ { print $2 }' /proc/meminfo)" -lt 16000000 ] || fail "$lost of 20000 string keys are lost"
