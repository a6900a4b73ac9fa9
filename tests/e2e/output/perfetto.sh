#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root protoc jq gcc perf
# where: native
# truth: --perfetto, lanes of CPUs | how often a thread went to sleep, its state, its CPU | the program's own sleeps
# truth: --perfetto, lanes of CPUs | how often and how long each thread ran | perf sched timehist of the same time
# truth: --perfetto, slices | begin and end of each call | the same run as JSON
#
# --perfetto: the file is read with Debian's protoc. Lanes are the kernel's own switches, threads and processes have names,
# wake-ups name who is woken, entries and returns are slices, printa() is a counter.
. "$(dirname "$0")/../lib.sh"
command -v perf >/dev/null || skip 'no perf here'
cat >"$tmp/load.c" <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>
static void naps(int n) { while (n--) nanosleep(&(struct timespec){ 0, 2000000 }, 0); }
static void *other(void *x) { prctl(PR_SET_NAME, "\xc3\xa9 <other>"); naps(30); return x; }
int main(void)
{
	pthread_t t;
	cpu_set_t one;
	CPU_ZERO(&one);
	CPU_SET(0, &one);
	sched_setaffinity(0, sizeof(one), &one);
	pthread_create(&t, 0, other, 0);
	naps(20);
	pthread_join(t, 0);
	for (int i = 0; i < 7; i++)
		getppid();
}
END
gcc -pthread -o "$tmp/load" "$tmp/load.c"
cat >"$tmp/line.d" <<'END'
tracepoint:sched:sched_switch {
	trace(args.prev_comm); trace(args.prev_pid); trace(args.prev_prio); trace(args.prev_state);
	trace(args.next_comm); trace(args.next_pid); trace(args.next_prio);
}
tracepoint:sched:sched_waking { trace(args.comm); trace(args.pid); trace(args.prio); trace(args.target_cpu); }
syscall::clock_nanosleep:entry, syscall::clock_nanosleep:return, syscall::getppid:entry, syscall::getppid:return
/pid == $target/ { trace(probefunc); @calls[probefunc] = count(); printa(@calls); }
syscall::getppid:entry /pid == $target/ { @left = count(); }
syscall::exit_group:entry /pid == $target/ { printf("ends \xff"); }
END
perf sched record -q -m 4096 -k CLOCK_MONOTONIC -o "$tmp/perf.data" -- \
	"$DTX" -q --format json -o "$tmp/json" --perfetto "$tmp/line" --record "$tmp/run" -c "$tmp/load" -s "$tmp/line.d" >"$tmp/perf.out" 2>"$tmp/err" ||
	fail "the run: $(cat "$tmp/err")"
perf sched timehist -i "$tmp/perf.data" >"$tmp/perf" 2>/dev/null || fail 'perf sched timehist'
read_it() { protoc --decode=perfetto.Trace -I runtime/sink/perfetto perfetto.proto <"$1"; }
read_it "$tmp/line" >"$tmp/text" || fail 'protoc cannot read it'
cat >"$tmp/check.py" <<'END'
import json, re, sys
text, records = open(sys.argv[1]).read(), [json.loads(l) for l in open(sys.argv[2])]
lost = sum(map(int, re.findall(r"(\d+) firings skipped", open(sys.argv[3]).read())))   # told: inside other programs

def expect(what, got, want):
    if got != want:
        sys.exit(f"{what}: {got!r} instead of {want!r}")

def read(lines):
    """The text form of protocol buffers as lists of (name, value)."""
    out = []
    for l in lines:
        if l.endswith("{"):
            out.append((l.split()[0], read(lines)))
        elif l == "}":
            return out
        else:
            name, v = l.split(": ", 1)
            out.append((name, v))
    return out

def one(m, *way):
    for name in way:
        m = next((v for n, v in m if n == name), None)
        if m is None:
            return None
    return m

packets = [v for _, v in read(iter(l.strip() for l in text.splitlines()))]
threads = {one(p, "track_descriptor", "uuid"): one(p, "track_descriptor", "thread") for p in packets if one(p, "track_descriptor", "thread")}
processes = {one(p, "track_descriptor", "process", "pid"): one(p, "track_descriptor", "process", "process_name") for p in packets if one(p, "track_descriptor", "process")}
names = {one(t, "thread_name"): t for t in threads.values()}
other, main = names[r'"\303\251 <other>"'], names['"load"']
expect("the process of the thread", one(other, "pid"), one(main, "tid"))
expect("the name of the process", processes[one(main, "pid")], '"load"')
expect("threads without a name", [t for t in threads.values() if not one(t, "thread_name")], [])
# Lanes: each switch of the run is there, with its CPU and time; the threads slept as often as they were to.
lanes = [(one(p, "ftrace_events", "cpu"), one(p, "ftrace_events", "event")) for p in packets if one(p, "ftrace_events", "event", "sched_switch")]
switches = [r for r in records if r.get("type") == "record" and r["probe"].endswith("sched_switch")]
expect("switches", [(cpu, one(e, "sched_switch", "next_pid")) for cpu, e in lanes],
       [(str(r["cpu"]), str(next(d["values"]["args.next_pid"] for d in r["data"] if "args.next_pid" in d["values"]))) for r in switches])
for who, naps in ((main, 20), (other, 30)):
    slept = [(cpu, one(e, "sched_switch", "prev_state")) for cpu, e in lanes if one(e, "sched_switch", "prev_pid") == one(who, "tid")]
    expect("sleeps", naps - lost <= sum(1 for cpu, s in slept if s == "1") <= naps + 2, True)      # and join, or its futex
    expect("the CPU", {cpu for cpu, s in slept if s == "1"}, {"0"})
    woken = sum(1 for p in packets if one(p, "ftrace_events", "event", "sched_waking", "pid") == one(who, "tid"))
    expect("woken", woken >= naps - lost, True)
# They are those of perf, which counts whole microseconds.
def ran(who):
    since, slices = {}, []
    for cpu, e in lanes:
        now, tid = int(one(e, "timestamp")), one(who, "tid")
        if one(e, "sched_switch", "prev_pid") == tid and cpu in since:
            slices.append(now - since.pop(cpu))
        if one(e, "sched_switch", "next_pid") == tid:
            since[cpu] = now
    return slices

for who in (main, other):
    tid = one(who, "tid")
    perf = re.findall(rf"\[{tid}(?:/\d+)?\] +[\d.]+ +[\d.]+ +([\d.]+)", open(sys.argv[4], encoding="latin1").read())
    mine = ran(who)
    if not lost:
        more = len(perf) - len(mine)     # the first: perf has seen its begin
        expect(f"slices of perf sched timehist, {len(perf)}, and of dtx, {len(mine)}", 0 <= more <= 1, True)
        far = [(ns, ms) for ns, ms in zip(mine[1:], perf[len(perf) - len(mine) + 1:]) if abs(ns / 1e6 - float(ms)) > 0.02]
        expect(f"lengths of slices {far}", len(far) <= 2, True)      # the machine may stop between the two clocks
# Slices, in the order of the thread.
events = [(one(p, "track_event"), one(p, "timestamp")) for p in packets if one(p, "track_event")]
mine = [e for e, _ in events if threads.get(one(e, "track_uuid")) is main]
begins = [one(e, "name") for e in mine if one(e, "type") == "TYPE_SLICE_BEGIN"]
expect("slices", (begins.count('"clock_nanosleep"'), begins.count('"getppid"')), (20, 7))
expect("their ends", sum(1 for e in mine if one(e, "type") == "TYPE_SLICE_END"), len(begins))
expect("categories", [v for n, v in mine[0] if n == "categories"], ['"syscall"', '"clause 3"'])
expect("what was printed", [one(e, "debug_annotations", "string_value") for e in mine if one(e, "name") == '"exit_group:entry"'], ['"ends \\\\xff"'])
counters = {one(p, "track_descriptor", "uuid"): one(p, "track_descriptor", "name") for p in packets if one(p, "track_descriptor", "counter") is not None}
last = {}
for e, _ in events:
    if one(e, "type") == "TYPE_COUNTER":
        last[counters[one(e, "track_uuid")]] = one(e, "counter_value")
expect("counters", last, {'"@calls clock_nanosleep"': "100", '"@calls getppid"': "14", '"@left"': "7"})
times = [int(one(p, "timestamp")) for p in packets if one(p, "timestamp")]
times += [int(t) for t in re.findall(r"event \{\s*timestamp: (\d+)", text)]
expect("nothing is after the counters of the end", max(times), max(int(t) for e, t in events if one(e, "type") == "TYPE_COUNTER"))
END
/usr/bin/python3 "$tmp/check.py" "$tmp/text" "$tmp/json" "$tmp/err" "$tmp/perf" || fail "$(cat "$tmp/err")"

# Names of any bytes: of a thread that is asked for, of functions and of the note of a USDT probe.
cat >"$tmp/bytes.c" <<'END'
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>
__attribute__((noinline)) void bad(void) __asm__("bad\xff");
void bad(void)
{
	__asm__ volatile("990: nop\n.pushsection .note.stapsdt, \"\", \"note\"\n.balign 4\n.4byte 992f-991f, 994f-993f, 3\n"
		"991: .asciz \"stapsdt\"\n992: .balign 4\n993: .8byte 990b, 0, 0\n"
		".asciz \"app\\376\"\n.asciz \"step\\375\"\n.asciz \"\"\n994: .balign 4\n.popsection\n");
}
int main(void)
{
	prctl(PR_SET_NAME, "\xff\xfe\nx");
	if (write(1, "ready", 5) != 5)
		return 1;
	for (;; nanosleep(&(struct timespec){ 0, 2000000 }, 0))
		bad();
}
END
gcc -o "$tmp/bytes" "$tmp/bytes.c"
"$tmp/bytes" >"$tmp/out" &
pid=$!
trap 'kill $pid; rm -rf "$tmp"' EXIT
begun
"$DTX" -q -o /dev/null --perfetto "$tmp/bytes.line" -p $pid -n 'pid$target:bytes:bad*:entry, pid$target:bytes:bad*:return { trace(1); }
	app*$target::: { trace(2); }
	pid$target:bytes:bad*:return /n++ == 5/ { exit(0); } int n;' 2>"$tmp/err" || fail "names of any bytes: $(cat "$tmp/err")"
read_it "$tmp/bytes.line" >"$tmp/text.bytes" || fail 'protoc cannot read names of any bytes'
for name in 'thread_name: "\\\\xff\\\\xfe\\\\nx"' 'name: "bad\\\\xff"' 'name: "bad\\\\xff:step\\\\xfd"' 'categories: "app\\\\xfe' ; do
	grep -q "$name" "$tmp/text.bytes" || fail "no $name: $(grep name: "$tmp/text.bytes" | sort | uniq -c)"
done

# Values of other kinds: a struct is all its bytes, a number with a fraction is one.
dtx -q --perfetto "$tmp/values.line" -n 'struct s { int a, b; double d; }; struct s *p;
	BEGIN { p = (struct s *)alloca(sizeof(struct s)); p->b = 5; *(uint64_t *)&p->d = 0x3ff8000000000000; trace(*p); trace(p->d); exit(0); }'
read_it "$tmp/values.line" >"$tmp/text.values" || fail 'protoc cannot read values'
grep -q 'string_value: "0000000005000000000000000000f83f"' "$tmp/text.values" || fail "no struct: $(cat "$tmp/text.values")"
grep -q 'double_value: 1.5' "$tmp/text.values" || fail "no number: $(cat "$tmp/text.values")"

# In a replay all is there but processes; a file that was cut has its begin.
"$DTX" -q -o /dev/null --replay "$tmp/run" --perfetto "$tmp/again" || fail 'a replay'
same "$(grep -c sched_switch "$tmp/text")" "$(read_it "$tmp/again" | grep -c sched_switch)" 'switches of the replay'
same "$(grep -c TYPE_SLICE_BEGIN "$tmp/text")" "$(read_it "$tmp/again" | grep -c TYPE_SLICE_BEGIN)" 'slices of the replay'
times() { python3 -c 'import json, sys
rows = [json.loads(l) for l in open(sys.argv[1])]
print(max(r["time"] for r in rows if r["type"] == "record"), *{r["time"] for r in rows if r.get("when") == "end" and r["names"] == ["@left"]})' "$1"; }
"$DTX" -q --format json -o "$tmp/json.again" --replay "$tmp/run" --trace "$tmp/again.json" || fail 'a replay as JSON'
# What has no time of its own gets the last one of the recording there, not that of this moment.
read -r last left <<<"$(times "$tmp/json.again")"
same "$last" "$left" 'the time of the rows at the end of a replay, as JSON'
same "$last" "$(read_it "$tmp/again" | sed -n 's/^  timestamp: //p' | sort -n | tail -n 1)" 'that of the counters'
jq -e '[.traceEvents[] | select(.name == "@left").ts] | length == 1' "$tmp/again.json" >/dev/null || fail 'no counter'
jq -e '.traceEvents | ([.[] | select(.ph == "C" and .name == "@left").ts] | max) == ([.[].ts | numbers] | max) and
	([.[] | select(.name != "@left") | (.ts | numbers) + (.dur // 0)] | max) >= ([.[] | select(.name == "@left").ts] | max) - 0.001' \
	"$tmp/again.json" >/dev/null || fail 'that of the counters of --trace'
# The numbers are those of Perfetto's own description.
raw=$(protoc --decode_raw <"$tmp/line")
grep -A9 '^  11 {' <<<"$raw" | grep -q '23: "getppid"\|22: "syscall"' || fail 'the numbers of a slice'
grep -A6 '^    thread\|^    4 {' <<<"$raw" | grep -q '5: "load"' || fail 'the number of a thread name'

# Two clauses at an entry are one slice: each that begins has its end.
dtx -q --perfetto "$tmp/two.line" -n 'syscall::getpgid:entry { trace(1); } syscall::getpgid:entry { trace(2); } syscall::getpgid:return { trace(3); }' -c "$t/threads 1 3 syscall"
same '3 TYPE_INSTANT
3 TYPE_SLICE_BEGIN
3 TYPE_SLICE_END' "$(read_it "$tmp/two.line" | sed -n 's/^ *type: //p' | sort | uniq -c | sed 's/^ *//')" 'two clauses'
