#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# A call that a signal interrupts and the kernel runs again: its result is a number that only the kernel knows, and
# strerror() says its name, as strace does.
# truth: syscall:::return, errno of a restarted call | 516, ERESTART_RESTARTBLOCK | include/linux/errno.h, strace
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/stopped" <<-'END'
	sleep 0.5 &
	for ((i = 0; i < 200; i++)); do
		read -r call rest </proc/$!/syscall
		[ "$call" != 230 ] || break        # clock_nanosleep
		sleep 0.01
	done
	kill -STOP $!
	kill -CONT $!
	wait $!
END
dtx -qn 'syscall::clock_nanosleep:return /execname == "sleep" && errno == ERESTART_RESTARTBLOCK/ {
		printf("%d %d %s\n", arg1, errno, strerror(errno)); exit(0); }
	END { printf("%s %s %s %s\n", strerror(-512), strerror(513), strerror(ERESTARTNOHAND), strerror(516)); }' \
	-c "bash $tmp/stopped"
same '-516 516 ERESTART_RESTARTBLOCK
ERESTARTSYS ERESTARTNOINTR ERESTARTNOHAND ERESTART_RESTARTBLOCK' "$(grep . "$tmp/out")" 'not what the kernel returns'
