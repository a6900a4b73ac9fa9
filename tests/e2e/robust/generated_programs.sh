#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf
# beside: it compiles and starts programs, and waits for no clock
# timeout: 300
#
# Random valid programs (tests/gen/gen.c) are compiled and pass the kernel's verifier: the same
# ones each time. DTX_GEN=10000 DTX_GEN_SIZE=10 tests/gen/run is the long run, by hand.
export DTX_GEN=${DTX_GEN:-16} DTX_GEN_SIZE=${DTX_GEN_SIZE:-10}
exec "$(dirname "$0")/../../gen/run"
