#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# row: conv.Y conv.T
#
# %Y and %T print local time in the zone of the environment; the day is padded with a blank in %Y.
. "$(dirname "$0")/../lib.sh"

program='BEGIN { t = 123793200000000000LL;
	printf("%Y\n%T\n", t, t);
	printf("%Y\n", 0LL); printf("%Y\n", 951782399999999999LL); printf("[%Y]\n", (uint64_t)1700000000000000000); exit(0); }'
TZ=UTC dtx -q -n "$program"
same '1973 Dec  3 19:00:00
Mon, 03 Dec 1973 19:00:00 UTC
1970 Jan  1 00:00:00
2000 Feb 28 23:59:59
[2023 Nov 14 22:13:20]' "$(cat "$tmp/out")" "the times are not right in UTC"
TZ=EST5 dtx -q -n "$program"
same '1973 Dec  3 14:00:00' "$(head -n 1 "$tmp/out")" "the zone is not used"
