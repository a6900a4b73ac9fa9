#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf taskset
# timeout: 100
#
# Aggregations of all functions, keys and options, printed and changed in between, print what tests/gen/aggs.c computes:
# the same programs each time. DTX_GEN=1000 tests/gen/answers aggs is the long run, by hand.
export DTX_GEN=${DTX_GEN:-8}
exec "$(dirname "$0")/../../gen/answers" aggs
