#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root
#
# A name that would have been made by an assignment that is wrong is not called unknown as well, and what is unknown is told once.
. "$(dirname "$0")/../lib.sh"

"$DTX" -en 'BEGIN { x = nosuch; this->y = x + 1; z[x] = nosuch; printf("%d %d %d", x, this->y, z[1]); }' 2>"$tmp/err" && fail "taken"
same 1 "$(grep -c "error:" "$tmp/err")" "errors"
same 1 "$(grep -c "unknown name 'nosuch'" "$tmp/err")" "errors about what is unknown"
