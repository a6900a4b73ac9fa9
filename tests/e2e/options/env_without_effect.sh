#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# row: env.debug env.ctf env.dof
#
# Variables of the environment that turn on messages of libraries dtx does not have change nothing, not even on standard error.
. "$(dirname "$0")/../lib.sh"
dtx -n 'BEGIN { trace(execname); printf("%d", 1 + 1); exit(0); }'
cp "$tmp/out" "$tmp/plain"
cp "$tmp/err" "$tmp/plain.err"
export DTRACE_DEBUG=1 DTRACE_DEBUG_BUF_SIZE=16 LIBCTF_DEBUG=1 DTRACE_DOF_INIT_DEBUG=1 DTRACE_DOF_INIT_DEVNAME=/nonexistent DTRACE_DOF_INIT_DISABLE=1
dtx -n 'BEGIN { trace(execname); printf("%d", 1 + 1); exit(0); }'
# The CPU that BEGIN runs on is of no matter.
same "$(sed 's/^ *[0-9]*//' "$tmp/plain")" "$(sed 's/^ *[0-9]*//' "$tmp/out")" "output"
same "$(cat "$tmp/plain.err")" "$(cat "$tmp/err")" "messages"
