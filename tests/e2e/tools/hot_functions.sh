#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: perf
#
# Where the CPU time goes, by samples: user or kernel, which program, which function. A program that computes for half a second
# of CPU time at 499 samples a second.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/script.d" <<-'END'
	#pragma D option quiet
	profile:::profile-499hz /progenyof($target) && arg1 != 0/ { @user[execname, ufunc(arg1)] = count(); @mode[execname, "user"] = count(); }
	profile:::profile-499hz /progenyof($target) && arg0 != 0/ { @mode[execname, "kernel"] = count(); }
	dtrace:::END {
		trunc(@user, 1);
		printa("hottest %s %A %@d\n", @user);
		printa("%s %s %@d\n", @mode);
	}
END
dtx -s "$tmp/script.d" -c "$t/spin 500"
grep -qE '^hottest spin spin`burn [0-9]+$' "$tmp/out" || { cat "$tmp/out" >&2; fail "not the function that computes"; }
n=$(awk '$1 == "spin" && $2 == "user" { print $3 }' "$tmp/out")
[ "$n" -ge 150 ] && [ "$n" -le 300 ] || fail "$n samples, not about 250"
