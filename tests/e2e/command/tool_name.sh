#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root
# where: both
#
# Without a script, $0 is the command's name; so is what messages about options begin with: both without the folder.
. "$(dirname "$0")/../lib.sh"

ln -s "$(realpath "$DTX")" "$tmp/dtrace"
same "dtrace" "$("$tmp/dtrace" -qn 'BEGIN { printf("%s", $$0); exit(0); }' | grep .)" "\$\$0"
"$tmp/dtrace" -z 2>"$tmp/err" && fail "an unknown option is taken"
same "dtrace: invalid option -- 'z'" "$(head -n 1 "$tmp/err")" "the message"
