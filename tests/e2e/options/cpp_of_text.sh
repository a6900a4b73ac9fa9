#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# With -C, text on the command line that has lines for the preprocessor is given to it.
# needs: gcc
. "$(dirname "$0")/../lib.sh"

dtx -C -qn '#include <sys/socket.h>
#define MORE 3
BEGIN { printf("%d\n", AF_INET + MORE); exit(0); }'
same 5 "$(grep . "$tmp/out")" "-C -n"
dtx -C -qn 'BEGIN { printf("%d\n", 4); exit(0); }'
same 4 "$(grep . "$tmp/out")" "-C -n without such lines"
