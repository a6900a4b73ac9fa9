#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: losetup
#
# I/O by disk: requests and bytes read and written of each device, and how long they took, on a disk of our own.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/disk.bash"

cat >"$tmp/script.d" <<-'END'
	#pragma D option quiet
	inline string DISK = $$1;
	io:::start /execname == "dd"/ { start_time[args[0]->b_edev, args[0]->b_blkno] = timestamp; }
	io:::done /start_time[args[0]->b_edev, args[0]->b_blkno]/ {
		this->elapsed = timestamp - start_time[args[0]->b_edev, args[0]->b_blkno];
		@reqs[args[1]->dev_statname, args[0]->b_flags & B_READ ? "R" : "W"] = count();
		@bytes[args[1]->dev_statname, args[0]->b_flags & B_READ ? "R" : "W"] = sum(args[0]->b_bcount);
		@wait[args[1]->dev_statname, args[0]->b_flags & B_READ ? "R" : "W"] = avg(this->elapsed);
		start_time[args[0]->b_edev, args[0]->b_blkno] = 0;
	}
	io:::start /execname == "dd" && args[1]->dev_statname == DISK/ {
		@sizes["sizes", args[0]->b_flags & B_READ ? "R" : "W"] = quantize(args[0]->b_bcount);
	}
	END {
		printf("%-10s %2s %8s %12s %10s\n", "DEVICE", "D", "REQUESTS", "BYTES", "AVG(ns)");
		printa("%-10s %2s %@8d %@12d %@10d\n", @reqs, @bytes, @wait);
		printa(@sizes);
	}
END
cat >"$tmp/load" <<-END
	dd if=$disk of=/dev/null iflag=direct bs=8k count=20 status=none
	dd if=/dev/zero of=$disk oflag=direct bs=32k count=7 seek=2 status=none
	dd if=$disk of=/dev/null iflag=direct bs=64k count=2 skip=3 status=none
END
dtx -s "$tmp/script.d" "${disk#/dev/}" -c "sh $tmp/load"
same "R 22 $((20 * 8192 + 2 * 65536))
W 7 $((7 * 32768))" "$(awk -v d="${disk#/dev/}" '$1 == d && NF == 5 && $5 > 0 { print $2, $3, $4 }' "$tmp/out" | sort)" \
	"not the requests made"
same '32768 7
65536 2
8192 20' "$(awk '/\|/ && $NF { print $1, $NF }' "$tmp/out" | sort)" "the sizes"
