#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# dtx --hosts --via: hosts that are processes of this machine, one result; what is wrong with a host is told with its name, and the
# others go on.
# needs: root syscall:getpriority python3 unshare
# timeout: 300
# waits: for hosts that are silent, and for leases
. "$(dirname "$0")/../lib.sh"

here=$(dirname "$0")
run=$tmp/dtx-run # processes of this path are this test's
cp "$(dirname "$DTX")/dtx-run" "$run"
python="$(python3 -c 'import sys; print(sys.executable)') -I -S" # itself: a script that finds it takes seconds of a busy machine's lease
export XDG_CACHE_HOME=$tmp/cache
# A host has a name of its own; HOW-N is one that between.py makes of it.
cat >"$tmp/host" <<-E
	#!/bin/bash
	case \$1 in
	*-*) exec $python $here/between.py "\${1%-*}" $run --agent ;;
	*) exec unshare --uts sh -c 'hostname "\$1"; exec $run --agent' sh "\$1" ;;
	esac
	E
chmod +x "$tmp/host"
fleet() { local hosts=$1; shift; timeout 60 "$DTX" --hosts "$hosts" --via "$tmp/host %h" -x hostwait=1m "$@" >"$tmp/out" 2>"$tmp/err"; }
good() { fleet "$@" || fail "status $?: $(cat "$tmp/out" "$tmp/err")"; }
told() { grep -qF -- "$1" "$tmp/err" || fail "not told: $1, but: $(cat "$tmp/err")"; }

# Each host traces a command that it starts itself: all of them are seen by all hosts, which are one machine here.
# truth: a fleet of three, count() | each host counts the calls of the programs that the hosts start | 100 calls of each program
cat >"$tmp/caller.py" <<-'E'
	import ctypes, glob, os, sys, time
	libc = ctypes.CDLL(None)
	libc.prctl(15, b"caller", 0, 0, 0)
	def all_have(what):
	    open(f"{sys.argv[1]}/{what}.{os.getpid()}", "w")
	    while len(glob.glob(f"{sys.argv[1]}/{what}.*")) < 3: time.sleep(0.01)
	all_have("begun")  # and so each host traces
	for i in range(100): libc.getpriority(0, 0)
	print("called")
	all_have("called")
	E
good 'a[1-3]' -c "python3 $tmp/caller.py $tmp" -qn 'syscall::getpriority:entry /execname == "caller"/ { @[execname] = count(); }'
[ "$(value caller)" = 900 ] || fail "three programs call 100 times, three hosts count: $(cat "$tmp/out" "$tmp/err")"
told 'a2: called'
[ "$(stat -c %a "$tmp"/cache/dtx/machine-*)" = 600 ] || fail 'the description is not kept, or others may read it'
# truth: a fleet of two with -c | its words, its end and its stacks | the same command on one machine
good a1,a2 -c 'echo "$HOME | cat"' -c "sh -c 'exit 3'" -n 'syscall::write:entry /execname == "echo"/ { @[ufunc(ucaller)] = count(); }'
told 'a1: $HOME | cat' # no shell
told "a2: the command 'sh -c 'exit 3'' (process "
"$DTX" -c 'echo "$HOME | cat"' -qn 'syscall::write:entry /execname == "echo"/ { @[ufunc(ucaller)] = count(); }' >"$tmp/here" 2>"$tmp/err" || fail 'on this machine'
same "$(awk '/^ *libc/ { print $1 }' "$tmp/here")" "$(awk '/^ *libc/ { print $1 }' "$tmp/out")" 'who writes'
# truth: a fleet of two with -c | $target, progenyof(), --follow | what the commands start: each host sees its own
good a1,a2 -c 'sh -c "/bin/true; /bin/true"' -qn 'syscall::execve:return /progenyof($target) && pid != $target/ { @[execname, pid != $pid ? hostname : ""] = count(); }'
same 'true a1 2 true a2 2' "$(sed '/^$/d' "$tmp/out" | sort | xargs)" 'below $target'
good a1,a2 --follow -c 'sh -c "/bin/true; /bin/true"' -qn 'syscall::execve:return /execname == "true"/ { @[execname, hostname] = count(); }'
same 'true a1 2 true a2 2' "$(sed '/^$/d' "$tmp/out" | sort | xargs)" '--follow'
for without in 'BEGIN /pid == $target/ { exit(0); }' 'pid$target:::entry { exit(0); }'; do
	if fleet a1 -qn "$without"; then fail "\$target without -c: $without"; fi
	told '$target is different in each run of dtx'
	same 1 "$(grep -c ': error: ' "$tmp/err")" "$without: errors"
done
if fleet a1 --follow -n 'BEGIN { exit(0); }'; then fail '--follow without -c'; fi
told '--follow needs a process'
# A tool that leaves out dtx itself.
good a1,a2 -q -c true syscount
# Lines that come in pieces, and the last one without an end.
good a1 -c "sh -c 'for c in a b \"c\nd\"; do printf \$c; sleep 0.05; done'" -qn BEGIN
same 'a1: abc a1: d' "$(xargs <"$tmp/err")" 'pieces of a line'
# Hosts are not asked for what is not allowed.
if fleet a1,a2 -qn 'BEGIN { system("true"); exit(0); }'; then fail 'system() without -w'; fi
same 'dtx: the program has destructive actions, which are not allowed: allow them with -w' "$(cat "$tmp/err")" 'system() without -w'
# Tables of an interval are of one machine.
if fleet a1,a2 -x every=1s -qn 'BEGIN { exit(0); }'; then fail 'every over hosts'; fi
told 'are not there for a run of several hosts'
if fleet a1,a2 -q syscount 1 3; then fail 'TIME COUNT over hosts'; fi
told 'are not there for a run of several hosts'
# What system() writes comes like that, from what ends at once to what would outlive the run.
good a1,a2 -wqn 'BEGIN { system("echo written; echo mistaken >&2; sleep 1000 & echo $! >>'"$tmp"'/sleepers"); printf("printed\n"); exit(0); }'
xargs kill <"$tmp/sleepers"
same 'a1: mistaken a1: written a2: mistaken a2: written ' "$(grep -E 'written|mistaken' "$tmp/err" | sort | tr '\n' ' ')" "what system() writes: $(cat "$tmp/err")"
same 'a1: printed a2: printed ' "$(sort "$tmp/out" | sed '/^$/d' | tr '\n' ' ')" 'lines of hosts beside system()'

# What a program writes into a file of its own on one machine comes here, and that is said, once.
for hosts in a1 a1,a2; do
	good $hosts -wqn 'BEGIN { freopen("%s/elsewhere", $$1); printf("printed\n"); exit(0); }' "$tmp"
	same "$(wc -w <<<"${hosts/,/ }")" "$(grep -c printed "$tmp/out")" "freopen() on $hosts"
	same 'dtx: warning: freopen() opens its file on the host, but what the host prints comes here: only captures of pcap() are written there' "$(grep -v ' have the same boot_id: ' "$tmp/err")" "freopen() on $hosts: what is told"
done

good 'a[1-3]' -qn 'BEGIN { @["x"] = sum(5); printf("here\n"); exit(0); }'
[ "$(value x)" = 15 ] || fail "the sum of three hosts: $(cat "$tmp/out")"
same 'a1: here a2: here a3: here ' "$(grep here "$tmp/out" | sort | tr '\n' ' ')" 'lines of hosts'
# truth: a fleet of two, pragmas of the program | the order of rows, and no header, by the options quiet and aggsortrev | the same program on one machine
printf '#pragma D option quiet\n#pragma D option aggsortrev\nBEGIN { @[1] = sum(1); @[2] = sum(2); exit(0); }' >"$tmp/pragmas.d"
good a1,a2 -s "$tmp/pragmas.d"
same '2 4 1 2' "$(xargs <"$tmp/out")" 'pragmas about the output'
fleet a1,a2 -qn 'BEGIN { exit(3); }'
[ $? = 3 ] || fail 'the status is not that of exit()'

# One host of each kind of fault; the good ones have the result.
# attack: hosts that send rubbish, endless data, noise, frames out of order, terminal escapes | they are named, the others' result is exact
fleet 'a,b,banner-1,old-1,foreign-1,poor-1,ahead-1,rubbish-1,endless-1,lies-1,slow-1,noise-1,again-1' -qn 'BEGIN { @["x"] = count(); exit(0); }'
[ "$(value x)" = 5 ] || fail "a, b, banner, ahead and slow count: $(cat "$tmp/out" "$tmp/err")"
told 'old-1: left out: its dtx-run is dtx 0.1 not'
told "foreign-1: left out: it is pdp$(uname -m)"
told 'poor-1: left out: it may not trace there: it lacks \x1b[31mCAP_BPF'
told 'ahead-1: its clock is'
told 'rubbish-1: left out: what it sends is not of an agent'
told 'endless-1: left out: it writes what no agent does'
told 'lies-1: left out: it does not keep to the protocol'
told 'again-1: stale: nothing was traced there'
grep -q 'noise-1: ' "$tmp/err" || fail "noise is taken: $(cat "$tmp/err")"
if LC_ALL=C grep -qP '\x1b' "$tmp/err" "$tmp/out"; then fail 'escapes of a host reach the terminal'; fi

if fleet mute-1 -x hostwait=1s -n BEGIN; then fail 'a run without hosts'; fi
told 'mute-1: left out: it does not answer: nothing came in 1 s'
told 'no host is left'

# with_waits COMMAND…: in a folder of its own, with a hostwait that makes faults quick; where this machine is too busy for what is no
# fault to come in that time, again with a longer one. COMMAND leaves its messages in $tmp/err.
with_waits() {
	tmp=$tmp/$1
	mkdir "$tmp"
	for wait in 1 4 20; do
		"$@"
		grep -qE ' a: .*hostwait|-1: .*(does not answer|described)' "$tmp/err" || return 0
	done
}

# One that is alive, but never ready, does not keep the others from beginning.
cp -r "$tmp/cache" "$tmp/known"
one_idle() {
	XDG_CACHE_HOME=${tmp%/*}/known timeout $((6 * wait + 40)) "$DTX" --hosts a,idle-1 --via "${tmp%/*}/host %h" -x hostwait=${wait}s -qn 'BEGIN { @["x"] = count(); exit(0); }' \
		>"$tmp/out" 2>"$tmp/err"
	echo $? >"$tmp/status"
}
with_waits one_idle & idle=$!

# attack: a host goes on after it was told to end | it is left out after three times hostwait, and the run ends
one_restless() {
	rm -f "$tmp/out"
	timeout --foreground $((3 * wait + 60)) "$DTX" --hosts a,restless-1 --via "${tmp%/*}/host %h" -x hostwait=${wait}s -qn 'BEGIN { printf("ready\n"); @["x"] = count(); } tick-1s { @n = count(); }' \
		>"$tmp/out" 2>"$tmp/err" & pid=$!
	awaits eval '[ "$(grep -cs ready "$tmp/out")" = 2 ] || grep -qs "option hostwait" "$tmp/err"'
	kill -TERM $pid
	wait $pid
}
with_waits one_restless & restless=$!

# Too few descriptors for all hosts: no host is called, and it is told how many would do; with these all are there.
limited() { (ulimit -n "$1" && timeout 60 "$DTX" --hosts "$2" --via "$tmp/host %h" -x hostwait=1m -qn 'BEGIN { @["x"] = count(); exit(0); }' >"$tmp/out" 2>"$tmp/err"); }
for n in 6 40 53; do
	if limited $n 'a[01-10]'; then fail "ten hosts with $n descriptors"; fi
	same "dtx: 10 hosts need 54 open files, and $n are allowed here: raise the limit (ulimit -n), or ask fewer hosts at a time" "$(cat "$tmp/err")" "$n descriptors"
done
limited 54 'a[01-10]' || fail "ten hosts with 54 descriptors: $(cat "$tmp/err")"
same 10 "$(value x)" 'ten hosts with 54 descriptors'

# attack: the reason of a host has lines that look like those of dtx | it is one line
fleet a,forge-1 -qn 'BEGIN { exit(0); }'
told 'forge-1: left out: it is tired'
[ "$(grep -c 'on fire' "$tmp/err")" = 1 ] && ! grep -q '^dtx: a' "$tmp/err" || fail "forged: $(cat "$tmp/err")"

# attack: what a host told of its kernel, in a later run without it | is not used
for f in "$tmp"/cache/dtx/machine-*; do echo rubbish >"$f"; done
touch -d '31 days ago' "$tmp/cache/dtx/machine-of-last-month" "$tmp/cache/dtx/another"
good fresh -qn 'BEGIN { @["x"] = count(); exit(0); }'
[ ! -e "$tmp/cache/dtx/machine-of-last-month" ] && [ -e "$tmp/cache/dtx/another" ] || fail 'old descriptions stay'
rm -r "$tmp/cache"

# Parts of printa() that come late: what is cleared after each is counted once, and what is not is in the next one.
# truth: late parts of printa() | the sum of @a, which is cleared; @b, which is not, is never more than there is | the clauses that ran
good a,stall:6-1 -qn 'BEGIN { i = 0; } tick-100ms { @a = count(); @b = count(); printa("late %@d %@d\n", @a, @b); clear(@a); } tick-100ms /++i == 20/ { exit(0); }'
same '40 fine' "$(awk '/^late/ { a += $2; if ($3 > b) b = $3 } END { print a, (b > 40 ? b : "fine") }' "$tmp/out")" "late parts: $(cat "$tmp/out")"

# -x strict and quorum: nothing begins.
if fleet a,old-1 -x strict -n 'BEGIN { exit(0); }'; then fail 'strict takes a part'; fi
told '1 of 2 hosts are ready, and the option strict wants all'
good a,old-1 -x strict=no -qn 'BEGIN { exit(0); }'
if fleet a,old-1 -x quorum=2 -n 'BEGIN { exit(0); }'; then fail 'a quorum that is not there'; fi
told 'the option quorum wants more'
good a,b,old-1 -x quorum=2 -qn 'BEGIN { exit(0); }'

# A host that dies in the middle: what it had sent stays.
fleet a,die:2-1 -x refresh=50ms -qn 'BEGIN { @["x"] = count(); } tick-20ms { @["y"] = count(); } tick-3s { exit(0); }'
told 'die:2-1: the connection ended, and its run there has ended: what it had sent stays'
[ "$(value x)" = 2 ] || fail "what the host had sent is lost: $(cat "$tmp/out" "$tmp/err")"
[ "$(value y)" -lt 300 ] || fail "more than two hosts can count: $(cat "$tmp/out" "$tmp/err")"

# Connections that end, lose, repeat or exchange what they carry: each line comes once, in order, and each value is exact.
# attack: a network that repeats frames, loses one, exchanges two, ends the connection | the host is called again, the run goes on; every line and value exact
# truth: a host that is called again | its lines and its sums are those of a host that never was away | the clauses that ran, 60 on each
good a,double-1,cut:4-1,lose:5-1,swap:6-1 -x refresh=100ms -qn '
	BEGIN { @["x"] = count(); i = 0; }
	tick-20ms /i < 60/ { @["y"] = count(); @sum["z"] = sum(i); printf("line %d\n", ++i); }
	tick-20ms /i == 60/ { exit(0); }'
same '5 300 8850' "$(value x) $(value y) $(value z)" "sums of hosts whose connections end: $(cat "$tmp/out" "$tmp/err")"
for host in a double-1 cut:4-1 lose:5-1 swap:6-1; do
	same "$(seq 60 | xargs)" "$(sed -nE "s/^$host: +line ([0-9]+)\$/\1/p" "$tmp/out" | xargs)" "lines of $host"
done
for host in cut:4-1 lose:5-1 swap:6-1; do told "$host: it is back, and nothing is missing"; done

# A connection through which nothing comes any more is no better than none, and does not say that it ended: one that hangs, and one
# whose process is the agent itself, which is stopped for a while.
# truth: hosts whose connections are silent | each line comes once and in order, and the table counts them all | the clauses that ran
cat >"$tmp/silent" <<-E
	#!/bin/bash
	if [ \$1 = deaf ] && mkdir "$tmp/was-deaf" 2>/dev/null; then exec $python $here/between.py deaf:3 $run --agent; fi
	[ \$1 != still ] || [ -e "$tmp/still" ] || echo \$\$ >"$tmp/still"
	exec $run --agent
	E
chmod +x "$tmp/silent"
"$DTX" --hosts a,deaf,still --via "exec $tmp/silent %h" -x hostwait=1m -x refresh=100ms -qn 'BEGIN { i = 0; } tick-20ms { @["y"] = count(); printf("line %d\n", ++i); }' \
	>"$tmp/out" 2>"$tmp/err" & pid=$!
awaits grep -qs '^still: *line' "$tmp/out"
kill -STOP "$(cat "$tmp/still")"
awaits grep -qF 'still: it is silent for 5 s: it is called again' "$tmp/err"
kill -CONT "$(cat "$tmp/still")"
for host in deaf still; do awaits grep -qF "$host: it is back, and nothing is missing" "$tmp/err"; done
kill -TERM $pid
wait $pid || fail "silent hosts: $(cat "$tmp/err")"
told 'deaf: it is silent for 5 s: it is called again'
for host in a deaf still; do
	lines=$(sed -nE "s/^$host: +line ([0-9]+)\$/\1/p" "$tmp/out")
	same "$(seq "$(tail -n1 <<<"$lines")" | xargs)" "$(xargs <<<"$lines")" "lines of $host"
done
same "$(grep -c ': *line' "$tmp/out")" "$(value y)" 'lines of silent hosts'
awaits eval '! pgrep -f "$run --agent" >/dev/null'

# Metrics: hostname in keys is a label; faults and losses are counted by host.
"$DTX" --hosts a,b --via "$tmp/host %h" -x hostwait=1m -q -o /dev/null --serve 0 -x refresh=100ms -n 'BEGIN { @opens[hostname] = count(); }
	BEGIN /hostname == "b"/ { @[*(int *)8] = count(); } tick-1s { @ticks = count(); }' 2>"$tmp/err" & pid=$!
awaits grep -q 'serving http' "$tmp/err"
link=$(sed -n 's,.*serving \(http[^ ]*\).*,\1,p' "$tmp/err")
asks() { python3 -c 'import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1].replace("?", "metrics?"), timeout=5).read().decode())' "$link" >"$tmp/out" 2>/dev/null; }
awaits eval 'asks && grep -q ^dtx_host_errors "$tmp/out" && [ $(grep -c ^dtx_opens "$tmp/out") = 2 ]'
same 'dtx_host_errors_total{host="b"} 1 dtx_opens_total{hostname="a"} 1 dtx_opens_total{hostname="b"} 1' "$(grep -E '^dtx_(opens|host_e)' "$tmp/out" | sort | paste -sd' ')" 'metrics of hosts'
kill -TERM $pid
wait $pid

# Two levels: the recordings of collectors that run are the hosts of another one.
# truth: a fleet of two collectors, of two hosts and of one | count() over both, lines with both names | the clauses that ran
mkfifo "$tmp/r1" "$tmp/r2"
for r in r1:a,b r2:c; do "$DTX" --hosts ${r#*:} --via "$tmp/host %h" -x hostwait=1m -q -o /dev/null --record "$tmp/${r%:*}" -n 'BEGIN { @["x"] = count(); printf("here\n"); exit(0); }' 2>>"$tmp/why" & done
timeout 60 "$DTX" -q --replay "$tmp/r1" "$tmp/r2" >"$tmp/out" 2>"$tmp/err" || fail "two levels: $(cat "$tmp/why" "$tmp/err")"
[ "$(value x)" = 3 ] && same 'c: here r1/a: here r1/b: here ' "$(grep here "$tmp/out" | sed 's/  */ /' | sort | tr '\n' ' ')" 'two levels'

# An image that was made before; a program that does not compile is told once; $target is of one machine.
dtx --image "$tmp/image" -x timestamps -n 'BEGIN { @["x"] = count(); exit(0); }'
good a,b -qr "$tmp/image"
[ "$(value x)" = 2 ] || fail "an image: $(cat "$tmp/out" "$tmp/err")"
# One that cannot be used is told before any host is called.
printf x | dd of="$tmp/image" bs=1 seek=3000 conv=notrunc status=none
for image in "$tmp/image:the image cannot be used: it was altered after it was made" '/dev/null:cannot read the image /dev/null: No data available' '/etc/passwd:this is not an image'; do
	if fleet a,b -r "${image%%:*}"; then fail "${image%%:*} is run"; fi
	grep -qF "dtx: ${image#*:}" "$tmp/err" && ! grep -q 'left out' "$tmp/err" || fail "${image%%:*}: $(cat "$tmp/err")"
done
if fleet a,b -n 'BEGIN { nothing(); }'; then fail 'a mistake is accepted'; fi
[ "$(grep -c 'D_FUNC_UNDEF' "$tmp/err")" = 1 ] || fail "it is told for each host: $(cat "$tmp/err")"
told 'left out: the program does not compile for the kernel there'
# A host that answers when the others of its kernel are out is named as they are.
cat >"$tmp/later" <<-E
	#!/bin/bash
	[ \$1 = a ] || until grep -qs '^dtx: a: left out' "$tmp/err"; do sleep 0.05; done
	exec $run --agent
	E
chmod +x "$tmp/later"
if timeout 60 "$DTX" --hosts a,b --via "$tmp/later %h" -x hostwait=1m -n 'BEGIN { nothing(); }' >"$tmp/out" 2>"$tmp/err"; then fail 'a mistake is accepted'; fi
same 'a b' "$(sed -n 's/^dtx: \(.\): left out: the program does not compile for the kernel there, .*/\1/p' "$tmp/err" | xargs)" 'hosts whose kernel has no program'
# A host that has no room for the run says so; it is not the collector's fault.
if timeout 60 "$DTX" --hosts a --via "ulimit -n 10; exec $run --agent" -x hostwait=1m -n BEGIN >"$tmp/out" 2>"$tmp/err"; then fail 'a host with ten files'; fi
told 'a: left out: it cannot begin the run: Too many open files'
if fleet a,b --stacks folded="$tmp/folded" -x diff=a:b -n 'BEGIN { @[stack()] = count(); exit(0); }'; then fail 'nothing to compare by'; fi
[ "$(grep -c 'has no key to compare by' "$tmp/err")" = 1 ] || fail "it is told for each host: $(cat "$tmp/err")"
if fleet a,b -n 'syscall:::entry /pid == $target/ { @ = count(); }'; then fail "\$target is accepted"; fi
told '$target'

wait $idle
same 0 "$(cat "$tmp/one_idle/status")" "one host is idle: $(cat "$tmp"/one_idle/*)"
grep -q 'idle-1: left out: it has not ' "$tmp/one_idle/err" && grep -q '^ *x *1$' "$tmp/one_idle/out" || fail "one host is idle: $(cat "$tmp"/one_idle/*)"
wait $restless
grep -q 'restless-1: it was told to end, and has not in ' "$tmp/one_restless/err" && grep -q '^ *x *[12]$' "$tmp/one_restless/out" ||
	fail "one is restless: $(cat "$tmp"/one_restless/*)"

# A signal: all end in order, and the result is shown; twice: at once. Nothing is left.
for times in 1 2; do
	rm -f "$tmp/out"
	"$DTX" --hosts 'a[1-3]' --via "$tmp/host %h" -x hostwait=1m -qn 'BEGIN { printf("ready\n"); @["x"] = count(); } tick-1s { @n = count(); }' \
		>"$tmp/out" 2>"$tmp/err" & pid=$!
	awaits eval '[ $(grep -cs ready "$tmp/out") = 3 ]'
	for ((i = 0; i < times; i++)); do kill -TERM $pid; sleep 0.2; done
	wait $pid
	[ $times = 2 ] || [ "$(value x)" = 3 ] || fail "the result of an interrupted run: $(cat "$tmp/out" "$tmp/err")"
	awaits eval '! pgrep -f "^$run --agent" >/dev/null'
done
