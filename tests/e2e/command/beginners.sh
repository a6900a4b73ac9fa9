#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: perf btf
#
# Mistakes of beginners: what is told, or the next step.
. "$(dirname "$0")/../lib.sh"

# told LINE TEXT
told() {
	"$DTX" -en "$1" 2>"$tmp/err" && fail "taken: $1"
	grep -qF -- "$2" "$tmp/err" || fail "$1: not told '$2': $(cat "$tmp/err")"
}

told 'BEGIN trace(1);' 'what a clause does is in braces'
told 'BEGIN if (pid == 1) { trace(1); }' 'the condition of a clause is a predicate'
told 'BEGIN { int x = 3; }' 'variables of a clause are not declared: write this->NAME'
told 'BEGIN { for (int i = 0; i < 3; i++) { } }' 'variables of a clause are not declared'
told 'BEGIN { var x = 5; }' 'variables of a clause are not declared'
told 'BEGIN { foreach (x in y) { } }' 'the entries of an aggregation can only be printed'
told 'BEGIN { trace((task_struct *)arg0); }' "'task_struct' is not a known type; write a tag as 'struct NAME'"
told 'BEGIN { trace(*arg1); }' 'it needs the type of what is there: *(int *)arg1'
told 'BEGIN { printf "hello\n"; }' 'the arguments of a function are in brackets'
told 'BEGIN { echo "hello"; }' 'printf prints, with its arguments in brackets'
told 'probe kernel.function("vfs_read") { }' 'fbt::NAME:entry'
told 'Begin { }' 'near it: BEGIN'
told 'BEGIN { trace(PID); }' "did you mean 'pid'?"
told 'io:::begin { }' 'dtx -ln io::: lists the probes of this provider'
