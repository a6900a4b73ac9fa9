#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes
#
# examples/threadsnoop.d: each pthread_create with its function.
. "$(dirname "$0")/tool.bash"

own threads known
run=$tmp/known tool threadsnoop -n known
heading 'TIME PID PROGRAM FUNCTION'
same '8 known known`run' "$(rows 'NR > 1 { print $3, $4 }' | sort | uniq -c | sed 's/^ *//')" 'not the threads'
run=$tmp/known tool threadsnoop -n other
same 1 "$(wc -l <"$tmp/out")" 'threads of another name'
