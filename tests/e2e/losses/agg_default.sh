#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# Five aggregations without an option aggsize have room for 100,000 keys each.
# where: native
. "$(dirname "$0")/../lib.sh"

dtx -q -x strict -n 'int n;
	syscall::write:entry /pid == $target && arg0 == 1/ { n++; @a[n] = count(); @b[n] = count(); @c[n] = count(); @d[n] = count(); @e[n] = sum(n); }
	END { trunc(@a, 1); trunc(@b, 1); trunc(@c, 1); trunc(@d, 1); printa("%d %@d\n", @e); trunc(@e); }' \
	-c 'dd if=/dev/zero of=/dev/null bs=1 count=100000 status=none'
want=$(grep -cE '^[0-9]+ [0-9]+$' "$tmp/out")
[ "$want" = 100000 ] || fail "$want of 100000 keys: $(tail -n 3 "$tmp/out" "$tmp/err")"
