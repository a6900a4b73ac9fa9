#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# examples/failedopens.d: the open that fails is printed, with what was known at entry; those that succeed are not.
. "$(dirname "$0")/tool.bash"

cat >"$tmp/script" <<-END
	cat /etc/passwd /no/such/file /etc/passwd/x >/dev/null 2>&1
	exit 0
END
run="bash $tmp/script" tool failedopens
line() { grep -qE "^[0-9]{4} .* cat\[[0-9]+\] by bash\[[0-9]+\], user [0-9]+, flags 0x0: $1: error $2\$" "$tmp/out"; }
line /no/such/file 2 && line /etc/passwd/x 20 || { cat "$tmp/out" >&2; fail "an open that fails is not there"; }
! grep -q ': /etc/passwd:' "$tmp/out" || fail "an open that succeeds is there"

run="bash $tmp/script" tool failedopens 20
line /etc/passwd/x 20 || fail "error 20 is not there"
! grep -vE 'error 20$|^$' "$tmp/out" >&2 || fail "other errors than 20"
