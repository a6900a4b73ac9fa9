#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root chromium
# where: native
# timeout: 90
# waits: for a browser
#
# A flame graph in a browser: of a run and of 100,000 distinct stacks; opened, searched, zoomed, turned, by mouse, keys and link.
# Aggregations of different units are parts of their own, and are never added up.
# truth: flame graph | the totals of a count and of a time in one graph | 70 calls of the program, each counted as 1 and as 1 ms
. "$(dirname "$0")/../lib.sh"
plain 'a browser is no part of dtx'
/usr/bin/python3 -c 'import websockets' 2>/dev/null || skip 'python3-websockets is not installed'

printf 'main;a;x 30\nmain;b 10\nmain;a 5\n' >"$tmp/old"
dtx -q --stacks svg="$tmp/small.svg" --diff "$tmp/old" -n 'BEGIN { @["</script>]]>&\"", stack()] = count(); exit(0); }'
DTX_FLAME=$tmp/large.svg "$(dirname "$DTX")/tests/unit/test_stacks" >"$tmp/out" 2>&1 || fail 'no large graph'
cat >"$tmp/deep.py" <<'END'
import os
def deeper(n):
    return list(map(deeper, [n - 1])) if n else os.getppid()
for i in range(70):
    deeper(15)
END
dtx -q -o /dev/null --stacks svg="$tmp/parts.svg" -c "/usr/bin/python3 $tmp/deep.py" -n 'syscall::getppid:entry /pid == $target/ {
	this->ns = (timestamp - timestamp) + 1000000; @n[ustack(127)] = count(); @time[ustack(127)] = sum(this->ns); }'
/usr/bin/python3 tests/browser/flame.py "$tmp/small.svg" "$tmp/large.svg" "$tmp/parts.svg" "${DTX_PICTURES:-$tmp}" || fail "the browser"
