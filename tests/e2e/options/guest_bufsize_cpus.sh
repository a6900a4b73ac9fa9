#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# where: guest
#
# The ring has room for the CPUs that run, not for all that the kernel could have: machines in clouds have two, and places for 128.
. "$(dirname "$0")/../lib.sh"

# ring CPUS: it has 4 MB for each of so many.
ring() {
	"$DTX" -qn 'syscall::getppid:entry { trace(pid); } BEGIN { printf("ready\n"); }' >"$tmp/out" 2>"$tmp/err" &
	pid=$!
	begun
	local bytes=0 info
	for info in "/proc/$pid/fdinfo"/*; do
		bytes=$((bytes + $(awk '/^map_type:/ { ring = $2 == 27 } /^max_entries:/ && ring { n = $2 } END { print n + 0 }' "$info")))
	done
	kill -TERM $pid && wait $pid || fail "it ended with $?: $(cat "$tmp/err")"
	[ "$bytes" = $(($1 << 22)) ] || fail "with $1 of 2 CPUs the ring has $bytes bytes"
}

ring 2
echo 0 >/sys/devices/system/cpu/cpu1/online || fail 'the other CPU does not stop'
ring 1
echo 1 >/sys/devices/system/cpu/cpu1/online
