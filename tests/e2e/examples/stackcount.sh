#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes
#
# examples/stackcount.d: the paths to a system call and to a function.
. "$(dirname "$0")/tool.bash"

own syscalls known
load <<'END'
./known
END
tool stackcount -n known syscall::getppid:entry -K
same 'known 100' "$(rows '$1 == "known" { p = $1 } NF == 1 && $1 ~ /^[0-9]+$/ { print p, $1 }')" 'not the calls'
run="$t/mallocs 10:7" tool stackcount -U 'pid$target:libc:malloc:entry' -t 1
grep -q 'mallocs`outer' "$tmp/out" && rows 'NF == 1 && $1 == 7 { ok = 1 } END { exit !ok }' || fail "not the path: $(cat "$tmp/out")"
tool stackcount -n known syscall::getppid:entry
grep -q '^known$' "$tmp/out" || fail 'no stacks of both parts'
