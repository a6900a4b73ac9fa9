#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf taskset
# timeout: 100
#
# Variables of every scope, sort and type, and what shows them: trace(), printf(), tracemem(), print(), speculations, with and without
# columns, print what tests/gen/shows.c computes: the same programs each time. DTX_GEN=1000 tests/gen/answers shows is the long run, by hand.
export DTX_GEN=${DTX_GEN:-6} DTX_GEN_FROM=${DTX_GEN_FROM:-7}
exec "$(dirname "$0")/../../gen/answers" shows
