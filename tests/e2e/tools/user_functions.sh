#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes
#
# Functions of a program, with the pid provider: calls, time with and without what they call, results, arguments.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/script.d" <<-'END'
	#pragma D option quiet
	self uint64_t start[int];
	self uint64_t below[int];
	pid$target:mallocs:outer:entry, pid$target:mallocs:inner:entry {
		self->depth++;
		self->start[self->depth] = timestamp;
		self->below[self->depth] = 0;
		@calls[probefunc] = count();
	}
	pid$target:mallocs:inner:entry { @size[arg0] = count(); }
	pid$target:mallocs:outer:return, pid$target:mallocs:inner:return /self->start[self->depth]/ {
		this->all = timestamp - self->start[self->depth];
		@inclusive[probefunc] = sum(this->all);
		@exclusive[probefunc] = sum(this->all - self->below[self->depth]);
		self->start[self->depth] = 0;
		self->below[self->depth] = 0;
		self->depth--;
		self->below[self->depth] += this->all;
	}
	pid$target:mallocs:outer:return { @result[arg1] = count(); }
	END {
		printf("%-10s %8s %12s %12s\n", "FUNCTION", "CALLS", "WITH(ns)", "WITHOUT(ns)");
		printa("%-10s %@8d %@12d %@12d\n", @calls, @inclusive, @exclusive);
		printa("size %d %@d\n", @size);
		printa("result %d %@d\n", @result);
	}
END
dtx -s "$tmp/script.d" -c "$t/mallocs 64:300 4096:20"
same 'inner 320
outer 2
result 0 2
size 4096 20
size 64 300' "$(awk '$1 ~ /^(inner|outer)$/ { print $1, $2 } /^(size|result)/' "$tmp/out" | sort)" "the calls"
awk '$1 == "outer" { o = $3; oe = $4 } $1 == "inner" { i = $3; ie = $4 }
	END { exit !(i > 0 && i == ie && o > i && oe == o - i) }' "$tmp/out" || { cat "$tmp/out" >&2; fail "the times"; }
