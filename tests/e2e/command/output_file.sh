#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# row: act.ftruncate flag.o platform.append
#
# -o appends to the file; ftruncate() empties it.
. "$(dirname "$0")/../lib.sh"

echo old >"$tmp/file"
dtx -q -o "$tmp/file" -n 'BEGIN { printf("new\n"); exit(0); }'
same 'old
new' "$(sed '/^$/d' "$tmp/file")" "-o does not append"
dtx -q -o "$tmp/file" -n 'BEGIN { printf("dropped\n"); ftruncate(); printf("kept\n"); exit(0); }'
same kept "$(sed '/^$/d' "$tmp/file")" "ftruncate() does not empty the file"
