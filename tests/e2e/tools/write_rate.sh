#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# Write throughput over time: bytes of each program since the last line, printed and cleared ten times a second; the lines add
# up to what was written.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/script.d" <<-'END'
	#pragma D option quiet
	#pragma D option aggrate=50hz
	#pragma D option switchrate=50hz
	dtrace:::BEGIN { began = timestamp; }
	sysinfo:::writech /progenyof($target) && execname == "dd"/ {
		@bytes[execname] = sum(arg0);
		@calls[execname] = count();
		@total["total"] = sum(arg0);
	}
	profile:::tick-100msec {
		printf("at %d ms\n", (timestamp - began) / 1000000);
		printa("  %-10s %@10d bytes in %@d writes\n", @bytes, @calls);
		clear(@bytes);
		clear(@calls);
	}
	dtrace:::END {
		printf("at the end\n");
		printa("  %-10s %@10d bytes in %@d writes\n", @bytes, @calls);
		trunc(@bytes);
		trunc(@calls);
	}
END
echo 'for i in 1 2 3 4 5 6; do dd if=/dev/zero of=/dev/null bs=1000 count=$((i * 10)) status=none; sleep 0.15; done' >"$tmp/load"
dtx -s "$tmp/script.d" -c "sh $tmp/load"
same '210000 210 210000' "$(awk '$1 == "dd" { bytes += $2; calls += $5 } END { printf "%d %d ", bytes, calls }' "$tmp/out")$(value total)" \
	"the lines do not add up"
[ "$(awk '$1 == "dd" && $2 > 0' "$tmp/out" | wc -l)" -ge 3 ] || { cat "$tmp/out" >&2; fail "all at once"; }
