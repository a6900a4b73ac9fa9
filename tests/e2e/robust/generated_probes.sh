#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes gcc
# beside: it compiles and starts programs, and waits for no clock
# timeout: 100
# truth: USDT arguments of random types, from random places | printed, compared, summed, as keys, assigned, cast | the program's own C
# truth: arguments and results of C functions, integers of random types, cut from wider ones | printed, compared, summed, as keys, assigned, cast | the program's own C
#
# Arguments of functions and USDT probes of random C programs (tests/gen/probe.c): the same ones each time.
# DTX_GEN=1000 tests/gen/probes is the long run, by hand.
export DTX_GEN=${DTX_GEN:-6}
exec "$(dirname "$0")/../../gen/probes"
