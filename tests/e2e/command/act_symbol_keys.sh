#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# row: sub.func printa.keysym
#
# func(), sym() and mod() as keys: addresses of one function, one module are one entry; trunc() counts these.
. "$(dirname "$0")/../lib.sh"

at() { echo "0x$(grep -m 1 -E " T $1\$" /proc/kallsyms | cut -d ' ' -f 1)"; }
read=$(at vfs_read) write=$(at vfs_write)
[ "$read" != 0x ] && [ "$((read))" != 0 ] || { echo "no addresses in /proc/kallsyms"; exit 77; }
"$DTX" -q -n "BEGIN {
	@f[func($read)] = sum(1); @f[func($read + 5)] = sum(2); @f[sym($read + 9)] = sum(3);
	@f[func($write)] = sum(4);
	@m[mod($read)] = count(); @m[mod($write)] = count();
	@t[func($read)] = sum(5); @t[func($read + 1)] = sum(5); @t[func($write)] = sum(7);
	trunc(@t, 1); sym($read + 3); mod($read); exit(0); }" >"$tmp/out" || fail "it fails"
cat >"$tmp/want" <<'END'
  vmlinux`vfs_read                                    vmlinux                                           
  vmlinux`vfs_write                                                 4
  vmlinux`vfs_read                                                  6
  vmlinux                                                           2
  vmlinux`vfs_read                                                 10
END
diff "$tmp/want" "$tmp/out" || fail "the entries are not merged"
