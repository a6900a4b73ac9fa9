#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: losetup
#
# Seek distances: how far each request begins from the end of the one before it, by program and device.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/disk.bash"

cat >"$tmp/script.d" <<-'END'
	#pragma D option quiet
	uint64_t last[dev_t];
	io:::start /execname == "dd" && args[1]->dev_statname == $$1 && last[args[0]->b_edev] != 0/ {
		this->far = (int)(args[0]->b_blkno - last[args[0]->b_edev]);
		this->dist = this->far < 0 ? -this->far : this->far;
		@seeks[execname] = quantize(this->dist);
		@turns["back"] = sum(this->far < 0);
		@turns["sectors"] = sum(this->dist);
	}
	io:::start /execname == "dd" && args[1]->dev_statname == $$1/ {
		last[args[0]->b_edev] = args[0]->b_blkno + args[0]->b_bcount / 512;
	}
	END {
		printa("%s\n%@d\n", @seeks);
		printa("%s %@d\n", @turns);
	}
END
# Ends at sectors 160, 8; then 1008..1016, 2016..2024, 3024: forward 0 (9 times), back 160, forward 1000 three times.
cat >"$tmp/load" <<-END
	dd if=$disk of=/dev/null iflag=direct bs=8k count=10 status=none
	dd if=$disk of=/dev/null iflag=direct bs=4k count=1 status=none
	dd if=$disk of=/dev/null iflag=direct bs=4k count=1 skip=126 status=none
	dd if=$disk of=/dev/null iflag=direct bs=4k count=1 skip=252 status=none
	dd if=$disk of=/dev/null iflag=direct bs=4k count=1 skip=378 status=none
END
dtx -s "$tmp/script.d" "${disk#/dev/}" -c "sh $tmp/load"
same '0 9
128 1
512 3' "$(histogram dd | awk '$2')" "the distances"
same '1 3160' "$(value back) $(value sectors)" "the direction and the sum"
