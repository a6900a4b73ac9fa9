#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: java
# timeout: 60
#
# Stacks of Java go on where HotSpot's C++ code has called it, and reach the start of the thread. A program of the runtime's own, as there
# may be no compiler.
. "$(dirname "$0")/../lib.sh"
keytool=$(dirname "$(readlink -f "$(command -v java)")")/keytool
[ -x "$keytool" ] || skip 'there is no keytool'

dtx -q -c "$keytool -genkeypair -alias a -keyalg RSA -keysize 3072 -dname CN=a -storepass abcdef -keystore $tmp/keys" \
	-n 'profile-199 /pid == $target && arg1 != 0/ { @[ustack(200)] = count(); }'
# through: stacks through the function that calls Java, but for those of the time in which tables are made, and how many are whole.
read -r through whole < <(awk 'NF == 0 { called = mark = 0 } /JavaCalls::call_helper/ { called = 1 } /incomplete/ { mark = 1 }
	/being made/ { called = 0 } called && /^ *[0-9]+$/ { all += $1; if (!mark) whole += $1 } END { print all + 0, whole + 0 }' "$tmp/out")
[ "$through" -ge 20 ] || fail "only $through stacks through JavaCalls::call_helper: $(cat "$tmp/err")"
[ $((whole * 10)) -ge $((through * 9)) ] || fail "$whole of $through are whole: $(grep incomplete "$tmp/out" | sort | uniq -c)"
exit 0
