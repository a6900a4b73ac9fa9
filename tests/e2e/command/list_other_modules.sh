#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Descriptions with the kernel's name on other systems mean the kernel's probes.
. "$(dirname "$0")/../lib.sh"

for pair in tcp:kernel::send=tcp:::send udp:kernel::=udp::: syscall:freebsd:read:entry=syscall::read:entry \
	io:genunix::start=io:::start; do
	dtx -ln "${pair#*=}"
	want=$(cat "$tmp/out")
	dtx -ln "${pair%%=*}"
	same "$want" "$(cat "$tmp/out")" "$pair"
	grep -q vmlinux "$tmp/out" || fail "$pair: nothing"
done
