#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes fentry
# where: guest
# timeout: 60
#
# A flag over thousands of functions, with -F and the option flowtime: the tree of what one call did. Each entry has its return
# and its time, all of it by the thread whose flag is set, within the call that sets it, on one attachment a function.
. "$(dirname "$0")/../lib.sh"
"$DTX" --features | grep -q '^kprobe.session *yes' || skip 'this kernel has no kprobe.session'

# All functions, one call: what begins with a blank and an arrow is the tree.
cat >"$tmp/graph.d" <<'END'
int done;
fbt::vfs_read:entry /pid == $target && arg2 == 777 && !done/ { self->on = 1; }
fbt::[p-w]*:entry, fbt::[p-w]*:return /self->on/ {}
fbt::vfs_read:return /self->on/ { self->on = 0; done = 1; }
END
dtx -v -F -x flowtime -s "$tmp/graph.d" -c "$t/reads 777:30"
grep -E '(->|<-) [a-z_]' "$tmp/out" | sed -E 's/^ *[0-9]+ //' >"$tmp/tree"
cat "$tmp/tree"
grep -qE '^dtx: fbt: entry and return of [0-9]{4,} functions by kprobe.session, .* [0-9]+ links?; left out: [0-9]+ functions' "$tmp/err" ||
	fail "not by kprobe.session: $(cat "$tmp/err")"
[ "$(grep -c -- '-> vfs_read$' <(sed 's/ *$//' "$tmp/tree"))" = 1 ] || fail 'not one vfs_read'
grep -q -- '-> rw_verify_area' "$tmp/tree" && grep -q -- '-> security_file_permission' "$tmp/tree" || fail 'what vfs_read calls is missing'
# Depth and times: a stack of the calls.
awk '
	/->/ { open[++n] = $NF; next }
	{ if (open[n--] != $NF) { print "not closed by its return:", $NF; bad = 1 }
	  if ($1 !~ /^[0-9]+$/) { print "no time:", $0; bad = 1 }
	  if (n && $1 > 0 && took[n] + $1 > 0) took[n] += $1
	  last = $1; name = $NF }
	END { if (n || name != "vfs_read") { print n, "calls left open, the last is", name; bad = 1 } exit bad }' "$tmp/tree" ||
	fail 'this is no tree'
[ "$(skipped)" -lt 5000 ] || fail "$(skipped) firings skipped: the functions outside of the call are not left alone"

# The flag in an expression, beside others; counts agree, and other threads and calls have none.
dtx -qn 'fbt::vfs_read:entry /pid == $target && arg2 == 777/ { self->on = 2; @calls = count(); }
	fbt::[p-w]*:entry /execname != "none" && self->on == 2/ { @in[tid == $target] = count(); @f[probefunc] = count(); }
	fbt::[p-w]*:return /self->on != 0 && probefunc != "vfs_read"/ { @out[tid == $target] = count(); }
	fbt::vfs_read:return /self->on/ { self->on = 0; }
	END { printa("calls %@d\n", @calls); printa("in %d %@d\n", @in); printa("out %d %@d\n", @out); printa("%s %@d\n", @f); }' \
	-c "$t/reads 777:30 5:30"
grep -qx 'calls 30' "$tmp/out" && grep -qx 'rw_verify_area 30' "$tmp/out" || fail "counts: $(cat "$tmp/out")"
in=$(awk '$1 == "in" && $2 == 1 { print $3 }' "$tmp/out")
out=$(awk '$1 == "out" && $2 == 1 { print $3 }' "$tmp/out")
if grep -qE '^(in|out) 0' "$tmp/out"; then fail "of other threads: $(cat "$tmp/out")"; fi
[ "$in" -ge 90 ] && [ "$in" = $((out + 30)) ] || fail "$in entries, $out returns"
