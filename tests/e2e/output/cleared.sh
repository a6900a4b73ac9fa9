#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# After clear() min() and max() have no value: D's text has the largest and the smallest number there, time lines have nothing,
# until there is a value again.
# needs: root
. "$(dirname "$0")/../lib.sh"

dtx -q --trace "$tmp/trace" --perfetto "$tmp/perfetto" -n 'int n; BEGIN { @low = min(5); @high = max(7); }
	tick-20ms /n == 0/ { printa(@low); printa(@high); clear(@low); clear(@high); printa(@low); printa(@high); }
	tick-20ms /n == 1/ { @low = min(6); @high = max(8); }
	tick-20ms /n == 2/ { printa(@low); printa(@high); exit(0); }
	tick-20ms { n++; }
	END { trunc(@low); trunc(@high); }'
same '5 7 9223372036854775807 -9223372036854775808 6 8' "$(awk 'NF == 1 { print $1 }' "$tmp/out" | paste -sd ' ')" 'text'
same '5 7 6 8' "$(grep -o '"args":{"value":[^}]*' "$tmp/trace" | sed 's/.*://' | paste -sd ' ')" 'the time line'
