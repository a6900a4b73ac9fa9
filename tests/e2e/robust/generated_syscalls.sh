#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root
# timeout: 100
# truth: syscall arguments and results, random calls, values and uses | printed, compared, summed, as keys, assigned, cast, in predicates, ?: and arrays, with the upper halves of registers dirty | C compiled with the true types
#
# Arguments and results of random system calls (tests/gen/syscall.c): the same ones each time.
# DTX_GEN=1000 tests/gen/syscalls is the long run, by hand; with DTX_GUEST=6.1 tests/vm/run before it, in a guest.
export DTX_GEN=${DTX_GEN:-4}
exec "$(dirname "$0")/../../gen/syscalls"
