#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# where: both
#
# examples/offcpu.d: 40 naps of 5 ms are 0.2 s off the CPU, in the stack of nanosleep. One that is preempted on
# its way to sleep may be over when it runs again: on a busy machine some are missing.
. "$(dirname "$0")/tool.bash"

run="$t/sleeper 5 40" tool offcpu sleeper 5
awk '
	/^sleeper$/ { kernel = user = 0 }
	/^vmlinux`do_nanosleep/ { kernel = 1 }
	/^sleeper`main/ { user = kernel }
	$2 == "us" && kernel && user { us += $1 }
	END { if (us < 150000 || us > 4000000) { print us + 0, "us"; exit 1 } }' "$tmp/out" >&2 ||
	{ cat "$tmp/out" "$tmp/err" >&2; fail "the naps are not there"; }
names=$(grep -avE '^$|`|^ *[0-9]+ us$' "$tmp/out" | sort -u)
[ "$names" = sleeper ] || fail "other programs: $names"
