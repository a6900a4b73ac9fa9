#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# row: value.flag value.int value.size value.rate value.word opt.bpflog opt.bpflogsize opt.bufresize opt.quietresize opt.cleanrate opt.grabanon opt.lockmem opt.statusrate
#
# What -x, the environment, pragmas and setopt() accept, what they refuse and say, and which of them wins.
. "$(dirname "$0")/../lib.sh"

bad() { # TEXT OPTION…
	refused "$@" -n 'BEGIN { exit(0); }'
	[ "$status" = 1 ] || fail "$*: status $status, not 1"
}
bad 'failed to set -x nonsense' -x nonsense
bad "did you mean 'strsize'?" -x strsise=3
bad "'many' is not a valid value" -x strsize=many
bad 'needs a value' -x bufsize
for o in stackframes ustackframes jstackframes pystackframes; do bad 'the least is 1' -x $o=0; done
bad "'often' is not a valid value" -x switchrate=often
bad "'circle' is not a valid value" -x bufpolicy=circle
bad "'maybe' is not a valid value" -x quiet=maybe
bad 'there is no CPU 4000' -x cpu=4000
bad 'not enough memory' -b 4t -x bufresize=manual

accepted() { "$DTX" -q "$@" -n 'BEGIN { exit(0); }' >"$tmp/out" 2>"$tmp/err" || fail "refused: $* $(cat "$tmp/err")"; }
for v in yes NO enable disabled True off set unset 0 17 ''; do accepted -x rawbytes="$v"; done
accepted -x format=text
for v in 4k 4K 0x1000 010000 1m; do accepted -b $v; done
for v in 100 100ns 1usec 5MS 2sec 1hour 10hz; do accepted -x statusrate=$v; done
for v in unlimited 64m; do accepted -x lockmem=$v; done
for o in bpflogsize=1m cleanrate=50hz temporal grabanon jstackframes=3 jstackstrsize=100 maxframes=64 \
	noresolve encoding=utf8 cpu=all bufresize=auto; do accepted -x $o; done

"$DTX" -b 4t -n 'BEGIN { exit(0); }' 2>&1 | grep -q 'buffer size lowered' || fail 'no word about a smaller buffer'
"$DTX" -b 4t -x quietresize -n 'BEGIN { exit(0); }' 2>&1 | grep -q lowered && fail 'quietresize is not quiet'

length() { "$DTX" -q "$@" -n "${pragma:-}"$'\n''BEGIN { x = "abcdefgh"; trace(x); exit(0); }' 2>/dev/null | head -n 1; }
same abcdefgh "$(length)" 'the default'
same abc "$(DTRACE_OPT_STRSIZE=4 length)" 'the environment'
same ab "$(DTRACE_OPT_STRSIZE=4 length -x strsize=3)" 'the command line wins over the environment'
same a "$(pragma='#pragma D option strsize=2' length -x strsize=3)" 'a pragma wins over the command line'

"$DTX" -x bpflog -q -n 'BEGIN { exit(0); }' 2>&1 | grep -q 'processed .* insns' || fail 'bpflog prints no log'
dtx -q -n 'BEGIN { setopt("nothing"); setopt("bufsize", "1m"); setopt("quiet", "off"); trace(1); exit(0); }'
[ "$(grep -c 'library-level fault' "$tmp/err")" = 2 ] || fail "setopt() of what cannot be set: $(cat "$tmp/err")"
