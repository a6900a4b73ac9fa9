#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: chromium
# where: native
#
# A flame graph in a browser: of a run and of 100,000 distinct stacks; opened, searched, zoomed, turned.
. "$(dirname "$0")/../lib.sh"
plain 'a browser is no part of dtx'
/usr/bin/python3 -c 'import websockets' 2>/dev/null || skip 'python3-websockets is not installed'

printf 'main;a;x 30\nmain;b 10\nmain;a 5\n' >"$tmp/old"
dtx -q --stacks svg="$tmp/small.svg" --diff "$tmp/old" -n 'BEGIN { @["</script>]]>&\"", stack()] = count(); exit(0); }'
DTX_FLAME=$tmp/large.svg "$(dirname "$DTX")/tests/unit/test_stacks" >"$tmp/out" 2>&1 || fail 'no large graph'
/usr/bin/python3 tests/browser/flame.py "$tmp/small.svg" "$tmp/large.svg" "${DTX_PICTURES:-$tmp}" || fail "the browser"
