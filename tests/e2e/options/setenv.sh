#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# setenv and unsetenv change the environment of -c commands, and nothing else of it.
. "$(dirname "$0")/../lib.sh"

export GONE=1 CHANGED=old KEPT=kept
dtx -q -x setenv=NEW=a=b -x setenv=CHANGED=new -x unsetenv=GONE -n 'BEGIN { }' -c env
same 'CHANGED=new
KEPT=kept
NEW=a=b' "$(grep -E '^(GONE|CHANGED|KEPT|NEW)=' "$tmp/out" | sort)" 'the environment of the command'
