#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: perf chroot gcc
#
# dtx-run-static needs nothing of its machine but the kernel: it runs in a root that has only /proc and /sys, with a C library that
# is broken, and loads no library. Names of users are those of /etc/passwd, whatever nsswitch.conf says.
# truth: dtx-run-static in an empty root | counts of system calls | the program's own calls
# attack: a root with a false C library and name service under dtx-run-static | it loads neither
. "$(dirname "$0")/../lib.sh"
static=$(readlink -f "$(dirname "$DTX")/dtx-run-static")
[ -x "$static" ] || skip 'dtx-run-static is not built'
plain 'it runs another program'

root=$tmp/root
mkdir -p "$root"/{proc,sys,etc,lib,tmp}
mount -t proc proc "$root/proc"
mount --rbind /sys "$root/sys" && mount --make-rslave "$root/sys"
trap 'umount -l "$root/sys" "$root/proc"; rm -rf "$tmp"' EXIT
cp "$static" "$root/run"
if readelf -lW "$static" | grep -q INTERP; then fail 'it needs a loader'; fi

# What a dynamic program would load there, and fail.
echo 'passwd: false files' >"$root/etc/nsswitch.conf"
echo 'tester:x:0:0::/:/run' >"$root/etc/passwd"
for name in libc.so.6 libnss_false.so.2 libmicrohttpd.so.12; do echo 'no library' >"$root/lib/$name"; done

gcc -x c -o "$tmp/static-load" - <<'END' || fail 'cannot compile'
#include <sys/resource.h>
int main(void) { for (int i = 0; i < 23; i++) getpriority(PRIO_PROCESS, 0); getpriority(PRIO_PGRP, 0); return 0; }
END
dtx --image "$root/image" -qn '
	BEGIN { printf("ready %s\n", username(0)); }
	syscall::getpriority:entry /execname == "static-load"/ { @[arg0] = count(); }
	syscall::getpriority:entry /execname == "static-load" && arg0 == 1/ { printa("%d %@d\n", @); exit(0); }'
chroot "$root" /run image >"$tmp/out" 2>"$tmp/err" &
begun
"$tmp/static-load"
wait $! || fail "it ended with status $?: $(cat "$tmp/err")"
same '0 23
1 1
ready tester' "$(sed '/^$/d' "$tmp/out" | sort)" 'in the root'
if timeout 20 chroot "$root" /run --serve 0 image >"$tmp/out" 2>"$tmp/err"; then fail 'it serves'; fi
grep -q 'which a program without shared libraries does not load: use dtx-run' "$tmp/err" || fail "--serve: $(cat "$tmp/err")"
