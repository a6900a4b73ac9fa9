#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# A provider or module that is not there, and a number of no probe, are errors, without the head of a list.
. "$(dirname "$0")/../lib.sh"

refused "no provider matches 'nosuch'" -lP nosuch
refused "no module matches 'nosuch'" -lm nosuch
refused "no probe matches '99999999'" -li 99999999
refused "-i takes the number of a probe, not 'read'" -li read
dtx -li 1
same "BEGIN" "$(awk 'END { print $NF }' "$tmp/out")" "-li 1"
