#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# on: oldest
# needs: uprobes
# where: both
#
# USDT probes of a process by its number, of one that runs already and of those that start later, by each spelling;
# the program's own test whether somebody looks follows.
. "$(dirname "$0")/../lib.sh"

app() { "$t/usdt" "$@" 2>>"$tmp/app"; }
# start CLAUSES OPTIONS…: dtx in the background, until its probes are active.
start() {
	: >"$tmp/out"
	"$DTX" -qn "BEGIN { printf(\"ready\n\"); } $1" "${@:2}" >"$tmp/out" 2>"$tmp/err" &
	tracer=$!
	begun
}
stop() { kill -TERM $tracer; wait $tracer || { cat "$tmp/err" >&2; fail "dtx failed"; }; }

# waiting COUNT: a program that waits for a line on descriptor 5; its process in $waiting.
waiting() {
	mkfifo "$tmp/go"
	"$t/usdt" "$1" wait <"$tmp/go" 2>>"$tmp/app" &
	waiting=$!
	exec 5>"$tmp/go"
	rm "$tmp/go"
	awaits grep -q /usdt "/proc/$waiting/maps"
}
go() {
	echo >&5
	wait "$waiting"
}

# A process that runs, and another one that is not asked for.
waiting 3
start "app$waiting:::step { printf(\"%d %d\n\", pid == $waiting, arg0); }"
app 2
go
stop
same $'ready\n1 1\n1 2\n1 3' "$(grep . "$tmp/out")" "not the firings of that process"
same $'enabled 0\nenabled 0' "$(cat "$tmp/app")" "a probe is enabled that nobody asked for"

# Processes that start later, by the file; all are seen, and find themselves observed.
for where in "usdt:$t/usdt:app:guarded" "usdt:$t/usdt:guarded" "usdt:$t/us*:a*:guarded" "U:$t/usdt:app:guarded"; do
	: >"$tmp/app"
	start "$where { @[pid] = count(); } END { printa(\"%@d\n\", @); }"
	app 5
	app 5
	stop
	same $'ready\n5\n5' "$(grep . "$tmp/out")" "$where: not 5 firings in each process"
	same $'enabled 5\nenabled 5' "$(cat "$tmp/app")" "$where: the programs do not know that they are observed"
done
: >"$tmp/app"
app 5
same 'enabled 0' "$(cat "$tmp/app")" "still enabled when nobody looks any more"

# By the provider alone: while one process has it, later ones are seen too.
waiting 1
start 'app:usdt::step { @ = count(); } END { printa("%@d\n", @); }'
app 3
go
stop
same $'ready\n4' "$(grep . "$tmp/out")" "not the firings of both processes"

# -c narrows none of them: its command may start programs of its own. -p does.
# The first program waits until its probes are found: that takes 50 ms at most, and far more on an emulated CPU.
cat >"$tmp/launch" <<END
#!/bin/bash
{ sleep ${DTX_GUEST:+3}.3; echo; } | "$t/usdt" 2 wait 2>/dev/null
"$t/usdt" 4 2>/dev/null
END
chmod +x "$tmp/launch"
for z in '' -Z; do
	waiting 1
	dtx $z -qn 'app*:::step { @ = count(); } END { printa("%@d\n", @); }' -c "$tmp/launch"
	go
	same 6 "$(grep . "$tmp/out")" "app* -c $z: not the firings of what the command starts"
done
dtx -Zqn 'app*:::step { @ = count(); } END { printa("%@d\n", @); }' -c "$tmp/launch"
same 6 "$(grep . "$tmp/out")" "app* -c -Z: not the firings of what was not there before"
waiting 3
start 'app*:::step { @ = count(); } END { printa("%@d\n", @); }' -p "$waiting"
app 5
go
wait "$tracer"
same $'ready\n3' "$(grep . "$tmp/out")" "app* -p: not the firings of that process"

# Both narrow those by file.
dtx -qn "usdt::app:step { @ = count(); } END { printa(\"%@d\n\", @); }" -c "$t/usdt 7"
same 7 "$(grep . "$tmp/out")" "usdt::app:step -c: not the 7 firings"

dtx -ln 'app$target:::' -c "$t/usdt 1"
same 'guarded places step sums values' "$(awk 'NR > 1 && NF { print $NF }' "$tmp/out" | sort | paste -sd ' ')" "not the probes listed"
! "$DTX" -n "usdt:$t/usdt:app:stop { }" 2>"$tmp/err" || fail "a probe that is not there was accepted"
grep -q 'app:guarded, app:places, app:step' "$tmp/err" || { cat "$tmp/err" >&2; fail "no word on what is there"; }
