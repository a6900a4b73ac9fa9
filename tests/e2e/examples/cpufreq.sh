#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# examples/cpufreq.d: two known changes of the frequency of a CPU, where a governor makes them; elsewhere that it starts.
. "$(dirname "$0")/tool.bash"

cpu=/sys/devices/system/cpu/cpu0/cpufreq
load <<'END'
cpu=/sys/devices/system/cpu/cpu0/cpufreq
[ -w $cpu/scaling_setspeed ] || exit 0
echo userspace >$cpu/scaling_governor
cat $cpu/scaling_min_freq >$cpu/scaling_setspeed; sleep 0.1
cat $cpu/scaling_max_freq >$cpu/scaling_setspeed; sleep 0.1
cat $cpu/scaling_min_freq >$cpu/scaling_setspeed
END
tool cpufreq
[ -w $cpu/scaling_setspeed ] || skip 'the frequency of the CPUs is not set by the kernel here'
rows '/CPU 0/ { on = 1 } on && /\|/ { n += $NF } END { exit n < 100 }' || fail "$(cat "$tmp/out")"
