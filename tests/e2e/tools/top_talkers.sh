#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# Top talkers: which program sends how many bytes through which sort of socket; the three with the most, most first.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/script.d" <<-'END'
	#pragma D option quiet
	#pragma D option aggsortrev
	syscall::sendto:entry, syscall::write:entry
	/progenyof($target) && fds[arg0].fi_fs == "sockfs"/
	{
		self->talks = 1;
	}
	syscall::sendto:return, syscall::write:return /self->talks && (int)arg1 > 0/ {
		@bytes[execname] = sum(arg1);
		@calls[execname] = count();
		@mean[execname] = avg(arg1);
		@largest[execname] = max(arg1);
	}
	syscall::sendto:return, syscall::write:return { self->talks = 0; }
	END {
		trunc(@bytes, 3);
		printf("%-12s %10s %8s %8s %8s\n", "PROGRAM", "BYTES", "CALLS", "MEAN", "MAX");
		printa("%-12s %@10d %@8d %@8d %@8d\n", @bytes, @calls, @mean, @largest);
	}
END
dtx -s "$tmp/script.d" -c "$t/tcp loud 20000:30 -- quiet 10:5 -- middling 500:40 4000:10 -- brief 1000:20"
# Those beyond the first three have no bytes any more.
same 'loud 600000 30 20000 20000
middling 60000 50 1200 4000
brief 20000 20 1000 1000' "$(awk '$2 ~ /^[1-9]/ && NF == 5 { $1 = $1; print }' "$tmp/out")" "not what was sent"
