#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# Process lifetimes, with the stable probes: how long each process lived from its start, how it ended, and the distribution.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/script.d" <<-'END'
	#pragma D option quiet
	BEGIN { how[CLD_EXITED] = "exited"; how[CLD_KILLED] = "killed"; how[CLD_DUMPED] = "dumped"; }
	proc:::start /progenyof($target)/ { start[pid] = timestamp; }
	proc:::exit /start[pid]/ {
		this->ms = (timestamp - start[pid]) / 1000000;
		printf("%s %d %s after %d ms\n", execname, pid, how[args[0]], this->ms);
		@lives[execname] = quantize(this->ms);
		@longest[execname] = max(this->ms);
		start[pid] = 0;
	}
	END { printa(@lives); printa("%s longest %@d\n", @longest); }
END
cat >"$tmp/load" <<-END
	$t/sleeper 20
	$t/sleeper 300
	$t/sleeper 20000 &
	sleep 0.5
	kill -KILL \$!
	$t/forks 25
	wait
END
dtx -s "$tmp/script.d" -c "bash $tmp/load"
same 'sleeper exited
sleeper exited
sleeper killed' "$(awk '$1 == "sleeper" && $4 == "after" { print $1, $3 }' "$tmp/out" | sort)" "how they ended"
same 26 "$(awk '$1 == "forks" && $3 == "exited"' "$tmp/out" | wc -l)" "the processes of forks, which is one itself"
awk '$1 == "sleeper" && $4 == "after" { print $5 }' "$tmp/out" | sort -n | {
	read -r a && read -r b && read -r c
	[ "$a" -ge 20 ] && [ "$b" -ge 300 ] && [ "$c" -ge 300 ] && [ "$c" -le 20000 ]
} || { cat "$tmp/out" >&2; fail "how long they lived"; }
same 3 "$(histogram sleeper | awk '{ n += $2 } END { print n }')" "the distribution"
