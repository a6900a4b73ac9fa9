#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# examples/wakeuptime.d: a reader of a pipe is woken by the writer, after the time that it waited.
. "$(dirname "$0")/tool.bash"

late_writer
tool wakeuptime -n reader
rows '/woken by writer/ { on = 1 } on && / us$/ { us += $1; on = 0 } END { exit !(us >= 150000 && us < 9000000) }' || fail "$(cat "$tmp/out")"
grep -q pipe "$tmp/out" || fail 'not the stack'
