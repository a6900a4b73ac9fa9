# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# shellcheck disable=SC2154 # tmp is of lib.sh
#
# slower KIND SIZE: examples/KINDslower.d shows the four writes and three reads of a file in a file system of that kind; and two writes
# that wait for the disk, whose syncs are part of them, and a sync that is one of its own.
. "$(dirname "$0")/tool.bash"

slower() {
	filesystem "$1" "$2" crc16 mbcache jbd2 crc32c_generic libcrc32c xor raid6_pq blake2b_generic zstd_compress
	own dd known
	load <<-'END'
		./known if=/dev/zero of=disk/file bs=3000 count=4 status=none
		./known if=disk/file of=/dev/null bs=3000 count=3 status=none
		./known if=/dev/zero of=disk/synced bs=4096 count=2 seek=5 oflag=sync conv=fsync status=none
	END
	tool "$1slower" -n known -m 0
	heading 'TIME PID PROGRAM WHAT BYTES OFFSET US FILE'
	same $'4 write 3000\n3 read 3000' \
		"$(rows '$8 == "file" && $4 ~ /read|write/ { print $4, $5 }' | sort -r | uniq -c | sed 's/^ *//')" 'not the calls'
	same '0 3000 6000 9000' \
		"$(rows '$8 == "file" && $4 == "write" { print $6 }' | tr '\n' ' ' | sed 's/ $//')" 'not the places'
	same $'write 4096 20480\nwrite 4096 24576\nsync 0 0' \
		"$(rows '$8 == "synced" && $4 != "open" { print $4, $5, $6 }')" 'not the writes that wait'
}
