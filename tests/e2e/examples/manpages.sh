#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: perf btf uprobes
# where: native
# timeout: 90
#
# The programs of the man pages, but those on kernel functions: each is accepted, runs some seconds and ends well.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/oneliners.bash"
run_oneliners "$(for page in docs/man/*.md; do case $page in *-fbt.* | *-lockstat.*) ;; *) cat "$page" ;; esac; done | grep -vE 'kprobe:|machine=|--hosts|dtx (TOOL )?\[')" 25
"$DTX" --image "$tmp/ran.img" -qn 'BEGIN { printf("ran\n"); exit(0); }'
same ran "$("$(dirname "$DTX")/dtx-run" "$tmp/ran.img")" "the image of dtx-run(1)"
