#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: btf
#
# examples/lifetimes.d: a program that ends with status 3, one that is killed; how long each lived.
. "$(dirname "$0")/tool.bash"

cat >"$tmp/script" <<-END
	$t/sleeper 200 1 3
	$t/sleeper 20000 &
	sleep 0.3
	kill -KILL \$!
	wait
END
run="bash $tmp/script" tool lifetimes sleeper
same "exec sleeper - $t/sleeper
exit sleeper status 3
exec sleeper - $t/sleeper
exit sleeper signal 9
sleeper 2" "$(awk '
	$5 == "exec" { print $5, $8, $9, $10 }
	$5 == "exit" { print $5, $8, $10, $11; if ($9 < 190 || $9 > 10000) print $9, "ms" }
	$1 == "sleeper" { print $1, $2 }' "$tmp/out")" "not the lives lived"
