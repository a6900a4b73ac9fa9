#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes btf
# where: guest
#
# examples/dcsnoop.d: names that nobody has asked for before.
. "$(dirname "$0")/tool.bash"

own stat known
load <<'END'
./known absent-one absent-two absent-one 2>/dev/null
:
END
tool dcsnoop -n known
heading 'TIME PID PROGRAM NAME'
same 'absent-one
absent-two' "$(rows '$4 ~ /^absent/ { print $4 }' | sort -u)" 'not the names'
