# SPDX-License-Identifier: BSD-2-Clause
what="time of the same program, kept from an earlier run" unit=ms target=10
tools="hand dtx" rounds=11

export XDG_CACHE_HOME=$tmp/cache
"$DTX" -qn 'BEGIN { exit(0); }'
tool_dtx()  { wall "$DTX" -qn 'BEGIN { exit(0); }'; }
tool_hand() { wall "$made/hand" "$made/hand.bpf.o" rawtp_count /bin/true; }
