#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes
#
# Probes that a program has of its own: how often, by argument, and the time from one to the next.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/script.d" <<-'END'
	#pragma D option quiet
	self uint64_t last;
	app$target:::step {
		@n["steps"] = count();
		@name[copyinstr(arg1)] = count();
		@squares = sum(arg2);
		@mod["mod"] = lquantize(arg0 % 4, 0, 4, 1);
	}
	app$target:::step /self->last/ { @gap["gaps"] = count(); @time["time"] = min(timestamp - self->last); }
	app$target:::step { self->last = timestamp; }
	app$target:::guarded { @guarded["guarded"] = sum((int)arg0); }
	END {
		printa(@n);
		printa("name %s %@d\n", @name);
		printa("squares %@d\n", @squares);
		printa(@gap); printa(@time); printa(@guarded); printa(@mod);
	}
END
dtx -s "$tmp/script.d" -c "$t/usdt 200"
same 'name even 50
name four 50
name odd 100
squares 2686700' "$(grep -E '^(name|squares)' "$tmp/out" | sort)" "the arguments"
same '200 199' "$(value steps) $(value gaps)" "the firings"
same -20100 "$(awk '$1 == "guarded" { print $2 }' "$tmp/out")" "the probe that is guarded"
same '0 50 1 50 2 50 3 50' "$(echo $(histogram mod | awk '$2'))" "the distribution"
grep -q '^enabled 200' "$tmp/out" "$tmp/err" || fail "the program was not told that it is watched"
[ "$(value time)" -gt 0 ] || fail "the least time between two"
