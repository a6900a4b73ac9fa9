// SPDX-License-Identifier: BSD-2-Clause
// Options of scripts wherever $1 may stand, and their types.
#pragma D param limit,n int -3 "a number"
#pragma D param name string "cat" "a text"
#pragma D param every time 2ms "a time"
#pragma D param buf size 64k "a size"
#pragma D param all flag "a flag"
#pragma D option bufsize=$buf

BEGIN /$limit < 0 && $name == "cat"/ { x = $limit; t = $every; s = $$every; b = $buf; f = $all; }
tick-$every { @ = lquantize(x, 0, $buf, 4096); }
syscall::*$name*:entry { }
