#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# row: act.freopen
#
# freopen() sends the output to a file, appends, and goes back.
. "$(dirname "$0")/../lib.sh"

dtx -q -w -n "BEGIN { printf(\"one\n\"); freopen(\"%s.%d\", \"$tmp/file\", 1); printf(\"two\n\"); freopen(\"\"); printf(\"three\n\"); exit(0); }"
same 'one
three' "$(sed '/^$/d' "$tmp/out")" "the output is not where it should be"
same 'two' "$(cat "$tmp/file.1")" "the file has not what was printed to it"
