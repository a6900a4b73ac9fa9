#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# row: var.execname
#
# execname is the name of the program that fired, cut to 15 characters.
. "$(dirname "$0")/../lib.sh"

cp "$t/sleeper" "$tmp/name_of_20_characters"
dtx -q -n 'syscall::*nanosleep:entry /pid == $target/ { printf("%s %d\n", execname, strlen(execname)); exit(0); }' -c "$tmp/name_of_20_characters 1"
same 'name_of_20_char 15' "$(sed '/^$/d' "$tmp/out")" 'the name'
