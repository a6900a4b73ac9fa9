# SPDX-License-Identifier: BSD-2-Clause
what="time of the same program compiled before (--image, dtx-run)" unit=ms target=4
tools="hand dtx" rounds=11

"$DTX" --image "$tmp/image" -qn 'BEGIN { exit(0); }'
tool_dtx()  { wall "$DTX-run" "$tmp/image"; }
tool_hand() { wall "$made/hand" "$made/hand.bpf.o" rawtp_count /bin/true; }
