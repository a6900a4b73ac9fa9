#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# Who works for whom: a tree of processes by their parents, with what each executed and read; the counters of sysinfo for each.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/script.d" <<-'END'
	#pragma D option quiet
	proc:::exec-success /progenyof($target)/ {
		printf("%s is %s of %d\n", curpsinfo->pr_fname, pid == $target ? "first" : "child", ppid == $target);
	}
	sysinfo:::sysread, sysinfo:::syswrite, sysinfo:::readch, sysinfo:::writech /progenyof($target) && execname == "dd"/ {
		@[curpsinfo->pr_fname, probename] = sum(arg0);
	}
	sysinfo:::sysexec /progenyof($target)/ { @n["execs"] = sum(arg0); }
	proc:::exit /progenyof($target)/ { @exits[execname, args[0] == CLD_EXITED ? "exited" : "killed"] = count(); }
	END { printa("%s %s %@d\n", @); printa(@n); printa("exit %s %s %@d\n", @exits); }
END
cat >"$tmp/load" <<-END
	for i in 1 2 3 4; do dd if=/dev/zero of=/dev/null bs=700 count=25 status=none; done
	exit 0
END
dtx -s "$tmp/script.d" -c "sh $tmp/load"
# The loader reads the head of each library.
awk '$1 == "dd" && $2 == "syswrite" { ok += $3 == 100 } $1 == "dd" && $2 == "writech" { ok += $3 == 70000 }
	$1 == "dd" && $2 == "sysread" { ok += $3 >= 104 } $1 == "dd" && $2 == "readch" { ok += $3 >= 70000 + 4 * 832 }
	END { exit ok != 4 }' "$tmp/out" || { cat "$tmp/out" >&2; fail "the counters"; }
same 'dd is child of 1
dd is child of 1
dd is child of 1
dd is child of 1
exit dd exited 4
exit sh exited 1' "$(grep -E '^(dd is|exit )' "$tmp/out" | sort)" "the processes"
