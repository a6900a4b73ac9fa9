#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# A bucket that has left 64 bits has the longest bar and no number, and neither has what is made of it.
# needs: root tmux
# where: native
. "$(dirname "$0")/terminal.bash"

cat >"$tmp/p.d" <<'END'
BEGIN { @size = quantize(1, -9223372036854775807 - 1); @size = quantize(2, 0x7fffffffffffffff); @size = quantize(4, 5); }
END
terminal 80 24
line '$DTX -q --live --refresh 100ms -s '"$tmp/p.d"
wait_for 'histogram of 1'
shows 4,10 ' @size  quantize(1)  1 key  total > 64 bits  > 64 bits per s
      count↓      per s        p50        p99        max
   > 64 bits  > 64 bits  > 64 bits  > 64 bits          7

 histogram of 1
          1|███████████████████████████████████████████████████████  > 64 bits
          2|███████████████████████████████████████████████████████      9223P' 'a histogram'
keys q
wait_for '^status 0'
