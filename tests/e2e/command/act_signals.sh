#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# row: act.raise act.stop act.chill act.panic
#
# raise() and stop() reach the process that fired, only with -w; what BPF cannot do is refused with the reason.
. "$(dirname "$0")/../lib.sh"

sh -c 'while sleep 0.05; do :; done' & victim=$!
"$DTX" -qw -n 'syscall::wait4:entry /pid == $1/ { stop(); exit(0); }' $victim || fail "stop() fails"
stopped() { state=$(awk '{ print $3 }' /proc/$victim/stat); [ "$state" = T ]; }
until_true 2 stopped || fail "the process is not stopped but $state"
kill -CONT $victim
"$DTX" -qw -n 'syscall::wait4:entry /pid == $1/ { raise(10); exit(0); }' $victim || fail "raise() fails"
wait $victim 2>/dev/null
[ $? = 138 ] || fail "SIGUSR1 did not end the process"

# row: builtins.__raise_thread
sh -c 'while sleep 0.05; do :; done' & victim=$!
"$DTX" -qw -n 'syscall::wait4:entry /tid == $1/ { signal_thread("USR2"); exit(0); }' $victim || fail "signal_thread() fails"
wait $victim 2>/dev/null
[ $? = 140 ] || fail "SIGUSR2 to the thread did not end the process"

for action in 'raise(9)' 'stop()' 'system("true")' 'freopen("x")'; do refused destructive -n "BEGIN { $action; }"; done
for action in 'chill(1)' 'panic()' 'breakpoint()'; do refused 'not possible on Linux' -wn "BEGIN { $action; }"; done
