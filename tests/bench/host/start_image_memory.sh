# SPDX-License-Identifier: BSD-2-Clause
what="peak memory of the same program compiled before (--image, dtx-run)" unit=MB target=5
tools="hand dtx" rounds=3

"$DTX" --image "$tmp/image" -qn 'BEGIN { exit(0); }'
peak() { "$triggers/measure" 1 "$@" | awk '{ print $3 / 1024 }'; }
tool_dtx()  { peak "$DTX-run" "$tmp/image"; }
tool_hand() { peak "$made/hand" "$made/hand.bpf.o" rawtp_count /bin/true; }
