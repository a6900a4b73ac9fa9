#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: btf
#
# examples/slabratetop.d: a program that opens a file many times makes as many file objects.
. "$(dirname "$0")/tool.bash"

"$DTX" -eqs examples/slabratetop.d 2>/dev/null || skip 'the probe of this kernel does not have the cache'
own syscalls known
load <<'END'
./known 40
END
tool slabratetop -i 1h
rows '$1 ~ /^(filp|files_cache)$/ { if ($2 >= 1000 && $3 >= $2 * 100) ok = 1 } END { exit !ok }' || fail "$(head -n 30 "$tmp/out")"
tool slabratetop -i 1h -t 2
same 4 "$(sed '/^$/d' "$tmp/out" | wc -l)" 'not two rows'
