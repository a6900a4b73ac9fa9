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

# Without times there is no time line.
dtx --image "$tmp/image" -n 'BEGIN { trace(1); exit(0); }'
"$DTX" --trace "$tmp/none" -r "$tmp/image" >/dev/null 2>"$tmp/err" && fail 'a time line without times'
grep -q 'compile the image with -x timestamps' "$tmp/err" || fail "$(cat "$tmp/err")"
