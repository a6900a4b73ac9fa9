#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# cat() does not wait for the writer of a FIFO: the other events would wait with it.
. "$(dirname "$0")/../lib.sh"

mkfifo "$tmp/fifo"
echo text >"$tmp/file"
timeout -k 1 20 "$DTX" -qn "BEGIN { cat(\"$tmp/fifo\"); cat(\"$tmp/file\"); printf(\"on\n\"); exit(0); }" >"$tmp/out" 2>"$tmp/err" ||
	fail "status $?: $(cat "$tmp/err")"
same $'text\non' "$(cat "$tmp/out")" "what is behind the FIFO"
