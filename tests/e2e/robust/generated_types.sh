#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes gcc cpp
# timeout: 100
#
# Values behind pointers to random C types (tests/gen/type.c), by DWARF and by the same types in D: the same ones each time.
# DTX_GEN=1000 tests/gen/types is the long run, by hand.
export DTX_GEN=${DTX_GEN:-2}
exec "$(dirname "$0")/../../gen/types"
