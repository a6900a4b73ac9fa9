#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes btf
# where: guest
#
# examples/tcptop.d: the bytes of two known clients; the top one.
. "$(dirname "$0")/tool.bash"

load <<'END'
"$t/tcp" large 1000:30 -- small 10:3
END
tool tcptop -i 1h
same 'large 30000 30000 0
small 30 30 0' "$(rows '$2 == "large" || $2 == "small" { print $2, $6, $7, $8 }')" 'not the bytes'
tool tcptop -i 1h -t 1
same 3 "$(sed '/^$/d' "$tmp/out" | wc -l)" 'not one row'
