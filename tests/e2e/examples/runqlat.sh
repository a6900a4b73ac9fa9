#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# examples/runqlat.d: each of 40 sleeps ends with one wait for a CPU.
. "$(dirname "$0")/tool.bash"

own sleeper known
load <<'END'
./known 2 40
END
tool runqlat -n known
rows '/\|/ { n += $NF } END { exit n < 40 }' || fail "not 40 waits: $(cat "$tmp/out")"
tool runqlat -P
rows '$1 == "known" { on = 1; next } /us\):/ { on = 0 } on && /\|/ { n += $NF } END { exit n < 40 }' || fail 'not 40 of that program'
