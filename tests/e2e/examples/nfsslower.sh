#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes btf tc modprobe unshare
# where: guest
# on: oldest
# timeout: 60
#
# examples/nfsslower.d: operations on files of an NFS server, which is the guest itself, in a network of its own.
if [ -z "${alone:-}" ]; then alone=1 exec unshare -mn "$0"; fi
. "$(dirname "$0")/tool.bash"

# server: a new file system in memory is on an NFS server, and mounted on $tmp/disk. No daemon answers the kernel what is
# exported to whom: it is told before it asks. Version 4 needs no other service.
server() {
	local rpc=/proc/net/rpc nfsd=/proc/fs/nfsd
	case $(uname -r) in 5.*) skip 'nfsd of Linux 5.10 needs rpcbind: without it the kernel itself fails' ;; esac
	modprobe nfsd 2>/dev/null || skip 'no module nfsd'
	mkdir "$tmp/export" "$tmp/disk"
	mount -t tmpfs export "$tmp/export"
	mount -t nfsd nfsd $nfsd || fail 'no files of the server'
	trap 'umount "$tmp/disk" 2>/dev/null; echo 0 >/proc/fs/nfsd/threads; umount /proc/fs/nfsd "$tmp/export"; rm -rf "$tmp"' EXIT
	ip link set lo up
	# Flags of <linux/nfsd/export.h>: 2 any port, 0x10 asynchronous, 0x400 files by number alone, 0x2000 "fsid=", which is 0.
	echo 'nfsd 127.0.0.1 2147483647 client' >$rpc/auth.unix.ip/channel
	echo "client $tmp/export 2147483647 $((0x2412)) 65534 65534 0" >$rpc/nfsd.export/channel
	echo "client 1 \\x00000000 2147483647 $tmp/export" >$rpc/nfsd.fh/channel
	echo -3 >$nfsd/versions
	# The least: for so many seconds clients of an earlier server may come back, and a first open waits until then.
	echo 10 >$nfsd/nfsv4gracetime
	echo 'tcp 2049' >$nfsd/portlist
	echo 2 >$nfsd/threads
	modprobe nfsv4 2>/dev/null || skip 'no module nfsv4'
	modprobe sch_netem 2>/dev/null || skip 'no module sch_netem'
	mount -i -t nfs4 -o addr=127.0.0.1,clientaddr=127.0.0.1,vers=4.2,sec=sys 127.0.0.1:/ "$tmp/disk" || fail 'no mount'
}

# timed <<'END': a load whose commands after "run" leave "PID MICROSECONDS" in $tmp/ran.
timed() {
	rm -f "$tmp/ran"
	load < <(echo 'run() { local from=${EPOCHREALTIME/./}; "$@" & wait; echo $! $((${EPOCHREALTIME/./} - from)) >>ran; }'; cat)
}

# shown 'EXPECTED' US: besides the heading there are these rows, with the number of a command of the load for its process;
# each took so many microseconds or more, and those of a process together no longer than the process.
shown() {
	same "$1" "$(awk 'NR == FNR { n[$1] = NR; next } FNR > 1 { print n[$2], $3, $4, $5, $6, $8 }' "$tmp"/{ran,out})" \
		'not the operations'
	awk -v least="$2" 'NR == FNR { left[$1] = $2; next } FNR > 1 && ($7 < least || (left[$2] -= $7) < 0) { print; bad = 1 }
		END { exit bad }' "$tmp"/{ran,out} || fail "not the times: $(cat "$tmp"/{ran,out})"
}

server
own dd known
own stat other
# dd moves its file to another descriptor: it closes twice. A sync that belongs to a write is no operation of its own.
timed <<-'END'
	run ./known if=/dev/zero of=disk/file bs=3000 count=4 conv=fsync status=none
	run ./known if=disk/file of=/dev/null bs=3000 count=3 status=none
	run ./known if=/dev/zero of=disk/synced bs=4096 count=2 seek=5 oflag=sync status=none
	run ./other disk/file >/dev/null
	run ./known if=/dev/zero of=here bs=3000 count=4 conv=fsync status=none
END
tool nfsslower -m 0 -n known
heading 'TIME PID PROGRAM WHAT BYTES OFFSET US FILE'
shown '1 known open 0 0 file
1 known close 0 0 file
1 known write 3000 0 file
1 known write 3000 3000 file
1 known write 3000 6000 file
1 known write 3000 9000 file
1 known sync 0 0 file
1 known close 0 0 file
2 known open 0 0 file
2 known close 0 0 file
2 known read 3000 0 file
2 known read 3000 3000 file
2 known read 3000 6000 file
2 known close 0 0 file
3 known open 0 0 synced
3 known close 0 0 synced
3 known write 4096 20480 synced
3 known write 4096 24576 synced
3 known close 0 0 synced' 0

# With 100 ms from here to the server and 100 ms back only what asks it is slow. (An open of a file that this client has
# for itself need not ask.)
timed <<-'END'
	tc qdisc add dev lo root netem delay 100ms
	run ./known if=/dev/zero of=disk/new bs=3000 count=4 conv=fsync status=none
	run ./known if=/dev/zero of=disk/closed bs=3000 count=4 status=none
	run ./known if=disk/file of=/dev/null bs=3000 count=4 status=none
	run ./known if=disk/file of=/dev/null bs=4096 count=2 iflag=direct status=none
	run ./other --cached=never disk/file >/dev/null
	run ./other --cached=always disk/file >/dev/null
	tc qdisc del dev lo root
END
tool nfsslower -m 150ms
sed -i '/ open .* file$/d' "$tmp/out"
shown '1 known open 0 0 new
1 known sync 0 0 new
2 known open 0 0 closed
2 known close 0 0 closed
4 known read 4096 0 file
4 known read 4096 4096 file
5 other getattr 0 0 file' 200000
