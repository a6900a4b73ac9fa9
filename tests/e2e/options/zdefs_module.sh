#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# With -Z a description of a module that is not loaded matches nothing, and dtx says that it stays so; not of one that is
# loaded, of the kernel itself, or with a pattern.
. "$(dirname "$0")/../lib.sh"

quiet() { dtx -Zqn "$1 { @ = count(); } BEGIN { exit(0); }"; }
for provider in fbt rawfbt tracepoint rawtp; do
	quiet "$provider:nosuchmod::nosuchprobe"
	grep -q "'$provider:nosuchmod::nosuchprobe' matches nothing, and no module nosuchmod is loaded: if it is loaded later, its probes are not attached" \
		"$tmp/err" || fail "$provider: $(cat "$tmp/err")"
done
for desc in fbt:vmlinux:nosuchfunction:entry fbt::nosuchfunction:entry 'fbt:nosuch*::entry' nosuch:::probe; do
	quiet "$desc"
	! grep -q 'is loaded' "$tmp/err" || fail "$desc: $(cat "$tmp/err")"
done
