#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# examples/runqslower.d: two programs share a CPU: each waits while the other one runs. New threads wait, too.
# truth: runqslower | the first wait of a new process | /proc/self/schedstat of the process
. "$(dirname "$0")/tool.bash"

own spin known
own spin other
load <<'END'
taskset -c 0 ./known 200 & taskset -c 0 ./other 200 & wait
END
tool runqslower -n known -m 1ms
heading 'TIME CPU PID TID PROGRAM US BEFORE'
rows 'NR > 1 && $5 == "known" && $6 >= 1000 { n++ } NR > 1 && ($5 != "known" || $6 < 1000) { bad++ } $5 == "known" && $NF == "other" && $2 == 0 { after++ } END { exit !n || bad || !after }' || fail "$(cat "$tmp/out")"

# A parent that computes: its child waits for the CPU that both may use.
own /usr/bin/python3 parent
cat >"$tmp/fork.py" <<'END'
import os, time
def waited():
    return int(open("/proc/self/schedstat").read().split()[1])
os.sched_setaffinity(0, {0})
for _ in range(200):
    child = os.fork()
    if not child:
        ns = waited()
        if ns >= 1000000:
            print(os.getpid(), ns // 1000, flush=True)
        os._exit(ns >= 1000000)
    until = time.monotonic() + 0.02
    while time.monotonic() < until:
        pass
    if os.waitpid(child, 0)[1]:
        break
END
load <<<'./parent fork.py >said'
tool runqslower -n parent -m 1ms
read -r child us <"$tmp/said" || exit 0     # no child had to wait
# The first wait; the child may have left the CPU again before it read the account.
rows '$3 == '"$child"' { print $6; exit }' >"$tmp/first"
awk -v us="$us" '{ n++ } !($1 <= us && $1 >= 1000) { bad = 1 } END { exit bad || !n }' "$tmp/first" ||
	fail "process $child waited $us us: $(cat "$tmp/out")"
