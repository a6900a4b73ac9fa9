#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# examples/offwaketime.d: a reader of a pipe with its own stack and that of the writer.
. "$(dirname "$0")/tool.bash"

late_writer
tool offwaketime -n reader
rows '/^reader waits:/ { a = 0; b = 0 } /pipe_read/ { a = 1 } /^writer wakes it/ { b = 1 } a && b && / us$/ { us += $1 } END { exit !(us >= 150000 && us < 9000000) }' || fail "$(cat "$tmp/out")"
