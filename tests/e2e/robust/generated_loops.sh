#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf taskset
# timeout: 200
#
# Loops and conditions within each other, five loops deep, over variables of all scopes leave what tests/gen/turns.c
# computes: the same programs each time. DTX_GEN=1000 tests/gen/answers turns is the long run, by hand.
export DTX_GEN=${DTX_GEN:-8}
exec "$(dirname "$0")/../../gen/answers" turns
