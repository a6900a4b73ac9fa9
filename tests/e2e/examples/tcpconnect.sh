#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes btf
# where: guest
# timeout: 60
#
# examples/tcpconnect.d: two connections that are accepted, one that is refused.
. "$(dirname "$0")/tool.bash"

run="$t/tcp small 1:9 -- mixed 50:7" tool tcpconnect
same '127.0.0.1 connected mixed
127.0.0.1 connected small' "$(awk 'NF == 6 && $6 ~ /ed$/ && $5 > 0 { print $3, $6, $2 }' "$tmp/out" |
	sort)" "not the connections made"
[ "$(histogram 127.0.0.1 | awk '{ n += $2 } END { print n }')" = 2 ] || fail "the distribution is not that of two"

echo ': <>/dev/tcp/127.0.0.1/9' >"$tmp/script"
"$DTX" -qs examples/tcpconnect.d -c "bash $tmp/script" >"$tmp/out" 2>"$tmp/err"
grep -qE '^ *[0-9]+ bash +127.0.0.1 +9 +[0-9]+ refused$' "$tmp/out" ||
	{ cat "$tmp"/{out,err} >&2; fail "the refusal is not there"; }
