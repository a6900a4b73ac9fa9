#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root taskset
#
# Buckets of two CPUs whose sum leaves 64 bits are told as that, in text, JSON and CSV, and stay so when they are normalized.
. "$(dirname "$0")/../lib.sh"
[ "$(nproc)" -ge 2 ] || skip 'one CPU'

cat >"$tmp/cpus.d" <<'END'
	#pragma D option quiet
	int seen[int];
	syscall::execve:entry /progenyof($target) && cpu < 2 && !seen[cpu]/ {
		seen[cpu] = 1;
		@up = quantize(1, 0x7fffffffffffffff - 5); @up = quantize(2, 7000);
		@down = lquantize(3, 0, 10, 1, -0x7fffffffffffffff);
	}
	END { normalize(@up, 1000); }
END
# said OPTIONS: what it says of the buckets.
said() {
	dtx "$@" -s "$tmp/cpus.d" -c "sh -c 'taskset -c 0 /bin/sh -c /bin/true; taskset -c 1 /bin/sh -c /bin/true'"
	tr -d '\r ' <"$tmp/out" | grep -oE '"count":[^}]*|,[123],[123],.*|beyond64bits$|\|14$'
}
same 'beyond64bits
|14
beyond64bits' "$(said)" 'text'
same '"count":null
"count":14
"count":null' "$(said -x format=json)" 'JSON'
same ',1,1,
,2,3,14
,3,3,' "$(said -x format=csv)" 'CSV'
