#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes btf
# timeout: 60
#
# The main job: sends above 100 bytes are counted exactly, by program, by the name of a kernel function's parameter.
. "$(dirname "$0")/../lib.sh"

dtx -n 'kprobe:tcp_sendmsg /size > 100/ { @[comm] = count(); }' \
	-c "$t/tcp small 1:9 50:7 100:20 -- mixed 50:7 101:5 1000:4 100:3 -- large 65536:3 200:8"
grep -E '^  (small|mixed|large) ' "$tmp/out" >"$tmp/rows"
printf '  %-50s %16d\n' mixed 9 large 11 >"$tmp/expected"
diff -u "$tmp/expected" "$tmp/rows" >&2 || fail "the counts differ"
[ "$(head -c 1 "$tmp/out" | od -An -c | tr -d ' ')" = '\n' ] || fail "an empty line is missing before the aggregation"
