#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes btf gcc
# truth: functions of a module that is loaded while dtx runs (-Z), fbt entry and return | firings, an int argument, the result | the program's calls of fsync and fdatasync
# truth: events of a module that is loaded while dtx runs (-Z) | firings | the program's calls of fsync and fdatasync
#
# With -Z, functions and events of a module are traced from when it is loaded; again after it was removed and loaded anew.
. "$(dirname "$0")/../lib.sh"
[ -n "$DTX_GUEST" ] || skip 'only a guest may load and remove modules'
[ -e /sys/module/ext4 ] && skip 'ext4 is loaded already'
modprobe -qn ext4 && modprobe -q loop || skip 'this kernel has no module ext4 or loop'
command -v mkfs.ext4 >/dev/null || skip 'needs mkfs.ext4'

gcc -x c -o "$tmp/first" - <<'END' || fail 'the program does not compile'
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	int fd = open(argv[1], O_CREAT | O_RDWR, 0600);
	for (int i = atoi(argv[2]); i > 0; i--)
		if (write(fd, "x", 1) != 1 || fsync(fd))
			return 1;
	for (int i = atoi(argv[3]); i > 0; i--)
		if (write(fd, "x", 1) != 1 || fdatasync(fd))
			return 1;
	return 0;
}
END
cp "$tmp/first" "$tmp/exact"
truncate -s 64M "$tmp/disk" && mkfs.ext4 -qF "$tmp/disk" || skip 'no file system can be made here'
mkdir "$tmp/at"

cat >"$tmp/late.d" <<'END'
#pragma D option quiet
#pragma D option switchrate=10hz
fbt:ext4:ext4_sync_file:entry /execname == "first" && !seen++/ { printf("function seen\n"); }
tracepoint:ext4:: /execname == "first" && probename == "ext4_sync_file_enter" && !events++/ { printf("event seen\n"); }
fbt:ext4:ext4_sync_file:entry /execname == "exact"/ { @[probemod, probefunc, probename, (int)arg3] = count(); }
fbt:ext4:ext4_sync_f*:return /execname == "exact" && probefunc == "ext4_sync_file"/ { @[probemod, probefunc, probename, (int)arg1] = count(); }
tracepoint:ext4:*sync_file_ente?: /execname == "exact"/ { @[probemod, probefunc, probename, 0] = count(); }
END { printa("%s %s %s %d %@d\n", @); }
END
sed -i 's/ente?:/ente?/; s/tracepoint:ext4:\*/tracepoint:ext4::*/' "$tmp/late.d"
"$DTX" -Zs "$tmp/late.d" -o "$tmp/out" 2>"$tmp/err" &
dtx=$!

# use: mounts the file system, and writes until dtx has seen it.
use() {
	modprobe ext4 || fail 'the module is not loaded'
	mount -o loop "$tmp/disk" "$tmp/at" || fail 'no mount'
	for _ in $(seq 100); do
		"$tmp/first" "$tmp/at/file" 1 1 || fail 'no fsync'
		if grep -q 'function seen' "$tmp/out" && grep -q 'event seen' "$tmp/out"; then break; fi
		sleep 0.3
	done
	"$tmp/exact" "$tmp/at/file" 7 4
	umount "$tmp/at"
}
for _ in $(seq 100); do [ -e "$tmp/out" ] && break; sleep 0.2; done
use
kill -INT $dtx
wait $dtx
grep -q 'function seen' "$tmp/out" || fail "no function is seen: $(cat "$tmp/out" "$tmp/err")"
same 'ext4  ext4_sync_file_enter 0 11
ext4 ext4_sync_file entry 0 7
ext4 ext4_sync_file entry 1 4
ext4 ext4_sync_file return 0 11' "$(grep '^ext4' "$tmp/out" | sort)" "$(cat "$tmp/err")"
