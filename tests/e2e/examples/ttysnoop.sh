#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: btf script
#
# examples/ttysnoop.d: what a program writes to a pseudo-terminal, and not what it writes to a file.
. "$(dirname "$0")/tool.bash"

own bash known
load <<'END'
script -qc "$tmp/known -c 'echo a known word; echo hidden >/dev/null; echo another'" /dev/null >/dev/null
END
tool ttysnoop -n known
same 'a known word another' "$(tr -d '\r' <"$tmp/out" | xargs)" 'not the text'
tool ttysnoop -n known -l
same 'known pts a known word\n\0
known pts another\n\0' "$(rows '$3 == "known" { sub(/\/.*/, "", $4); $1 = $2 = ""; sub(/^ +/, ""); print }')" 'not the lines'
