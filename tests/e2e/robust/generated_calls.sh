#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes gcc
# timeout: 100
#
# Arguments and results of functions of random C programs (tests/gen/call.c): the same ones each time.
# DTX_GEN=1000 tests/gen/calls is the long run, by hand.
export DTX_GEN=${DTX_GEN:-6}
exec "$(dirname "$0")/../../gen/calls"
