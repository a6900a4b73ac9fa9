# SPDX-License-Identifier: BSD-2-Clause
what="peak memory of the same program, kept from an earlier run" unit=MB target=25
tools="hand dtx" rounds=3

export XDG_CACHE_HOME=$tmp/cache
"$DTX" -qn 'BEGIN { exit(0); }'
peak() { "$triggers/measure" 1 "$@" | awk '{ print $3 / 1024 }'; }
tool_dtx()  { peak "$DTX" -qn 'BEGIN { exit(0); }'; }
tool_hand() { peak "$made/hand" "$made/hand.bpf.o" rawtp_count /bin/true; }
