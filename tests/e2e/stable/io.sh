#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: losetup
# where: both
#
# io: direct reads and writes on a loop device of our own: each request with its size, place, direction and device, at
# its start in the program that makes it and at its end; sums and counts are those of /proc/diskstats, and the
# times measured cover the kernel's own.
# truth: io:::start, args[0]->b_blkno, b_bcount | place and size of each direct request | dd
# truth: io:::start, args[0]->b_flags | B_READ or B_WRITE | dd
# truth: io:::start, args[1]->dev_major, dev_minor | the device | stat
# truth: io:::start, args[1]->dev_statname | the name of the device | losetup
# truth: io:::start, args[0]->b_lblkno, b_bufsize | the same place and size | dd
# truth: io:::start, args[0]->b_iodone | the function that ends a direct request | /proc/kallsyms
# truth: io:::start, args[1]->dev_name | the name of the disk | losetup
# truth: io:::done, args[0]->b_blkno, b_bcount | place and size of each request | dd
# truth: io:::done, args[0]->b_edev | the number of the device | stat
# truth: io:::done, args[0]->b_bcount | sum of reads and of writes | /proc/diskstats
# truth: io:::done, arg0 | the same as at the start of the request | itself, 9 requests
# truth: vminfo:::pgin, pgout | requests that read and write | dd
# truth: vminfo:::pgpgin, pgpgout | pages read and written | dd
# truth: sysinfo:::bread, bwrite | reads and writes of block devices | dd
. "$(dirname "$0")/../lib.sh"
modules loop

dd if=/dev/zero of="$tmp/image" bs=1M count=4 status=none
loop=$(losetup -f --show "$tmp/image") || skip "no loop device can be set up here"
trap 'losetup -d "$loop"; rm -rf "$tmp"' EXIT
name=${loop#/dev/} dev=$((0x$(stat -c %t "$loop") << 20 | 0x$(stat -c %T "$loop")))

# reads, sectors read, milliseconds, writes, sectors written, milliseconds
disk() { awk -v name="$name" '$3 == name { print $4, $6, $7, $8, $10, $11 }' /proc/diskstats; }
cat >"$tmp/script" <<-END
	dd if=$loop of=/dev/null iflag=direct bs=16k count=5 skip=3 status=none
	dd if=/dev/zero of=$loop oflag=direct bs=4k count=3 seek=8 status=none
	dd if=$loop of=/dev/null iflag=direct bs=128k count=1 status=none
END
cat >"$tmp/io.d" <<-'END'
	#pragma D option quiet
	io:::start /args[1]->dev_statname == $$1/ {
		printf("start %s %s %d %d %d,%d\n", execname, args[0]->b_flags & B_READ ? "R" : "W", args[0]->b_blkno,
		    args[0]->b_bcount, args[1]->dev_major, args[1]->dev_minor);
		printf("same %s %d %d\n", args[1]->dev_name, args[0]->b_lblkno, args[0]->b_bufsize);
		printf("ends %x\n", (uintptr_t)args[0]->b_iodone);
		at[args[0]->b_edev, args[0]->b_blkno] = timestamp;
		begun[arg0] = 1;
	}
	io:::done /args[1]->dev_statname == $$1 && begun[arg0]/ { @n["paired"] = count(); begun[arg0] = 0; }
	io:::done /args[1]->dev_statname == $$1/ {
		printf("done %s %d %d %d\n", args[0]->b_flags & B_READ ? "R" : "W", args[0]->b_blkno, args[0]->b_bcount,
		    args[0]->b_edev);
	}
	io:::done /args[1]->dev_statname == $$1 && at[args[0]->b_edev, args[0]->b_blkno]/ {
		@all["all"] = sum(timestamp - at[args[0]->b_edev, args[0]->b_blkno]);
		@times["longest"] = max(timestamp - at[args[0]->b_edev, args[0]->b_blkno]);
		at[args[0]->b_edev, args[0]->b_blkno] = 0;
	}
	io:::done /args[1]->dev_statname == $$1 && args[0]->b_flags & B_READ/ {
		@bytes["read"] = sum(args[0]->b_bcount);
		@n["reads"] = count();
	}
	io:::done /args[1]->dev_statname == $$1 && args[0]->b_flags & B_WRITE/ {
		@bytes["written"] = sum(args[0]->b_bcount);
		@n["writes"] = count();
	}
	vminfo:::pgin, vminfo:::pgpgin, vminfo:::pgout, vminfo:::pgpgout, sysinfo:::bread, sysinfo:::bwrite /execname == "dd"/ {
		@info[probename] = sum(arg0);
	}
END
read -r reads rsec rms writes wsec wms < <(disk)
began=$(date +%s%N)
dtx -s "$tmp/io.d" "$name" -c "bash $tmp/script"
took=$(($(date +%s%N) - began))
read -r reads2 rsec2 rms2 writes2 wsec2 wms2 < <(disk)

want() {                        # want HOW DIRECTION FIRST-SECTOR BYTES COUNT
	local i
	for ((i = 0; i < $5; i++)); do
		if [ "$1" = start ]; then
			echo "start dd $2 $(($3 + i * $4 / 512)) $4 $((dev >> 20)),$((dev & 0xfffff))"
		else
			echo "done $2 $(($3 + i * $4 / 512)) $4 $dev"
		fi
	done
}
for how in start 'done'; do
	same "$(want $how R 96 16384 5; want $how W 64 4096 3; want $how R 0 131072 1)" \
		"$(grep "^$how" "$tmp/out")" "not the requests made: $how"
done
same "$(grep ^start "$tmp/out" | awk -v name="$name" '{ print "same", name, $4, $5 }')" "$(grep ^same "$tmp/out")" "b_lblkno, b_bufsize, dev_name"
for at in $(sed -n 's/^ends //p' "$tmp/out" | sort -u); do
	grep -qE "^0*$at [tT] (blkdev_bio_end_io\w*|submit_bio_wait_end\w*|bio_wait_end_io)" /proc/kallsyms || fail "what ends them: $at: $(grep "$at" /proc/kallsyms)"
done
same "$((reads2 - reads)) $((rsec2 - rsec)) $((writes2 - writes)) $((wsec2 - wsec))" \
	"$(value reads) $(($(value read) / 512)) $(value writes) $(($(value written) / 512))" "not what /proc/diskstats says"
same 9 "$(value paired)" "arg0 is not the same at the start and at the end"
same "bread 6
bwrite 3
pgin 6
pgout 3
pgpgin 52
pgpgout 3" "$(awk 'NF == 2 && /^  (pg|b[rw])/ { print $1, $2 }' "$tmp/out" | grep -v bytes | sort)" "what vminfo and sysinfo count"
longest=$(value longest)
[ "$longest" -gt 0 ] && [ "$longest" -lt "$took" ] || fail "the longest request took $longest ns of $took ns"
# The kernel's clock of a request begins after io:::start; 20 ms for its rounding.
kernel=$((rms2 - rms + wms2 - wms)) ours=$(($(value all) / 1000000))
[ "$kernel" -le $((ours + 20)) ] || fail "all requests took $ours ms, but $kernel ms by /proc/diskstats"
