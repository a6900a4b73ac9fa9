#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# --trace FILE: spans of entries and returns by thread, instants, counters; whole after an interrupt; from a replay, too.
# needs: root python3
. "$(dirname "$0")/../lib.sh"

check() { python3 - "$1" <<'END' || fail "$(cat "$1")"
import json, sys
events = json.load(open(sys.argv[1]), object_pairs_hook=lambda pairs: dict(pairs) if len(dict(pairs)) == len(pairs) else sys.exit("names twice"))["traceEvents"]
def of(ph): return [e for e in events if e["ph"] == ph]
outer = [e for e in of("X") if e["name"] == "nanosleep" or e["name"] == "clock_nanosleep"]
assert len(outer) == 1 and outer[0]["dur"] >= 20000 and outer[0]["cat"] == "syscall", outer
assert outer[0]["args"]["return"] == {"arg0": 0} and "execname" in outer[0]["args"], outer
assert outer[0]["pid"] == outer[0]["tid"], outer
assert {e["args"]["name"] for e in of("M")} == {"sleep"}, of("M")
assert any(e["name"] == "exit_group:entry" and e["s"] == "t" for e in of("i")), "an entry without a return is an instant"
assert not [e for e in of("X") if e["name"] == "exit_group"], "a span without a return"
counters = of("C")
assert {e["name"] for e in counters} == {"@n"} and counters[-1]["args"]["sleep"] >= 1, counters
assert all(e["ts"] >= 0 for e in events if "ts" in e)
END
}
program='
	syscall::nanosleep:entry, syscall::clock_nanosleep:entry /pid == $target/ { trace(execname); trace(pid); }
	syscall::nanosleep:return, syscall::clock_nanosleep:return /pid == $target/ { trace(arg0); @n[execname] = count(); }
	syscall::exit_group:entry /pid == $target/ { printf("ends \"%d\"\n", pid); }
	END { printa(@n); }'
dtx -q --trace "$tmp/line" --record "$tmp/recording" -n "$program" -c 'sleep 0.02'
check "$tmp/line"
dtx --replay "$tmp/recording" --trace "$tmp/again"
cmp "$tmp/line" "$tmp/again" || fail 'a replay has another time line'

# Each event is one of the format, with nothing else; the spans of a thread lie within each other, to the depth of the calls.
dtx -q --trace "$tmp/deep" -c "$DTX_TRIGGERS/deepstacks 50" -n '
	pid$target:deepstacks:left:entry, pid$target:deepstacks:right:entry, pid$target:deepstacks:call:entry { trace(arg0); }
	pid$target:deepstacks:left:return, pid$target:deepstacks:right:return, pid$target:deepstacks:call:return { @calls = count(); }
	pid$target:deepstacks:left:return, pid$target:deepstacks:right:return, pid$target:deepstacks:call:return { trace(1); }
	END { printa(@calls); }'
python3 - "$tmp/deep" <<'END' || fail "$(head -c 2000 "$tmp/deep")"
import collections, json, sys
line = json.load(open(sys.argv[1]))
assert set(line) == {"displayTimeUnit", "otherData", "traceEvents"} and line["displayTimeUnit"] == "ns", line.keys()
number = lambda v: isinstance(v, (int, float)) and not isinstance(v, bool) and v >= 0
whole = lambda v: isinstance(v, int)
text = lambda v: isinstance(v, str)
every = {"ph": text, "name": text, "pid": whole, "tid": whole, "ts": number, "args": lambda v: isinstance(v, dict)}
kinds = {"X": {"dur": number, "cat": text}, "i": {"s": lambda v: v in ("t", "p", "g")}, "M": {}, "C": {}}
threads = collections.defaultdict(list)
for e in line["traceEvents"]:
    shape = {**every, **kinds[e["ph"]]}
    assert set(e) == set(shape) and all(shape[k](e[k]) for k in e), e
    if e["ph"] == "M":
        assert e["name"] in ("thread_name", "process_name") and text(e["args"]["name"]), e
    if e["ph"] == "C":
        assert e["args"] and all(number(v) for v in e["args"].values()), e
    if e["ph"] == "X":
        threads[e["pid"], e["tid"]].append((round(e["ts"] * 1000), round((e["ts"] + e["dur"]) * 1000)))
deepest = 0
for spans in threads.values():
    open_until = []
    for begin, end in sorted(spans, key=lambda s: (s[0], -s[1])):
        while open_until and open_until[-1] <= begin:
            open_until.pop()
        assert not open_until or end <= open_until[-1], (begin, end, open_until)
        open_until.append(end)
        deepest = max(deepest, len(open_until))
assert (sum(map(len, threads.values())), deepest) == (750, 15), (sum(map(len, threads.values())), deepest)
END

# A full disk: the run goes on without it, and says so.
"$DTX" -q --trace /dev/full -n 'BEGIN { trace("goes on"); exit(0); }' >"$tmp/out" 2>"$tmp/err" && fail 'a full disk is no failure'
grep -q 'cannot write /dev/full (option trace): No space left on device; tracing goes on without it' "$tmp/err" || fail "$(cat "$tmp/err")"
grep -q 'goes on' "$tmp/out" || fail 'the output stopped with the disk'

# Without times there is no time line.
dtx --image "$tmp/image" -n 'BEGIN { trace(1); exit(0); }'
"$DTX" --trace "$tmp/none" -r "$tmp/image" >/dev/null 2>"$tmp/err" && fail 'a time line without times'
grep -q 'compile the image with -x timestamps' "$tmp/err" || fail "$(cat "$tmp/err")"
