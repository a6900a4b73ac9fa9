#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# An option that does nothing says so once, on standard error; not when dtx is quiet.  What the program prints
# is the same.
. "$(dirname "$0")/../lib.sh"

# says COUNT TEXT: so many lines of the last run's standard error have the text.
says() { same "$1" "$(grep -cF -- "$2" "$tmp/err")" "$2: $(cat "$tmp/err")"; }
run() { "$DTX" "$@" >"$tmp/out" 2>"$tmp/err" || fail "$*: $(cat "$tmp/err")"; }

one='BEGIN { printf("one\n"); exit(0); }'
pragma="#pragma D option iregs=3
#pragma D option tregs=2
#pragma D option iregs=5
$one"
note='does nothing here: LLVM chooses the registers'

run -x iregs=4 -x iregs=5 -x late=static -n "$one"
says 1 "option iregs $note"
says 1 'option late does nothing here: translators are always static'
grep -q one "$tmp/out" || fail 'no output'
grep -q nothing "$tmp/out" && fail 'on standard output'

run -n "$pragma"
says 1 "-n:1:1: warning: option iregs $note"
says 1 "-n:2:1: warning: option tregs $note"
says 2 'does nothing here'

run -q -x iregs=4 -n "$pragma"
says 0 'does nothing here'
same one "$(cat "$tmp/out")" 'quiet'

# An option that acts says nothing, and an image that is run does.
run --image "$tmp/image" -n "$one"
says 0 'does nothing here'
run -x cleanrate=1s -x iregs=2 -r "$tmp/image"
says 2 "does nothing here"
