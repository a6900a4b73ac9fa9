#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes
#
# Solaris's name of an object in its link map, LM0`libc.so.6, is that object.
. "$(dirname "$0")/../lib.sh"

libc=$(ldd "$t/mallocs" | grep -o 'libc\.so\.[0-9]*' | head -1)
dtx -qn 'pid$target:LM0`'"$libc"':malloc:entry /arg0 == 77/ { @["mallocs"] = count(); }' -c "$t/mallocs 77:5"
same 5 "$(value mallocs)" "calls of malloc in the first link map"
