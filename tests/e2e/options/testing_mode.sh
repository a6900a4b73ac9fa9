#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# row: env.testing
#
# _DTRACE_TESTING leaves the columns CPU and ID out, also of -F, and the newline after ^C.
. "$(dirname "$0")/../lib.sh"

export _DTRACE_TESTING=1
dtx -n 'BEGIN { trace(1); exit(0); }'
same "$(printf '%32s\n%32s %s\n' FUNCTION:NAME :BEGIN '          1')" "$(cat "$tmp/out")" 'the columns'
dtx -F -n 'BEGIN { trace(1); exit(0); }'
same "$(printf '%-41s\n%-41s %s\n' FUNCTION '| :BEGIN' '          1')" "$(cat "$tmp/out")" 'the columns of -F'
