#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# timestamps: records have a time and a thread (16 bytes) only if a sink wants them, or the option is set; text does not change.
# needs: none
. "$(dirname "$0")/../lib.sh"

program='BEGIN { trace(1); exit(0); }'
size() { "$DTX" -S plan "$@" -n "$program" | sed -n 's/^site 0:.*record \([0-9]*\) bytes/\1/p'; }
[ "$(size)" = 24 ] || fail "a record of text has $(size) bytes"
[ "$(size -x timestamps)" = 40 ] || fail "a record with its time has $(size -x timestamps) bytes"
