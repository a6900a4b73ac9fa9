#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: btf
#
# examples/klockstat.d: four programs that rename in one folder wait for its lock.
. "$(dirname "$0")/tool.bash"

matches tracepoint:lock:contention_begin || skip 'this kernel tells no waits for locks (Linux 5.19)'
cat >"$tmp/renames.py" <<'END'
import os, sys
open("f" + sys.argv[1], "w").close()
for i in range(4000):
    os.rename("f" + sys.argv[1], "g" + sys.argv[1]); os.rename("g" + sys.argv[1], "f" + sys.argv[1])
END
own /usr/bin/python3 known
load <<<'for i in 1 2 3 4; do ./known renames.py $i & done; wait'
tool klockstat -n known
grep -qE '^ +[0-9]+ us, the longest [0-9]+ us, in [0-9]+ waits$' "$tmp/out" || fail "$(cat "$tmp/out")"
grep -qE 'rename|lock' "$tmp/out" || fail "no stack: $(cat "$tmp/out")"
