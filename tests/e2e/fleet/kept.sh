#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# What a host told of its kernel is kept, and serves all hosts of the same build in runs that name this host: whichever of them
# answers first. Runs that do not name it ask again; so do all if others may write the file.
# needs: root
# timeout: 60
# attack: a description that is kept, of a host that has no part in the run, or which others could have written | it is not read: the host is asked
. "$(dirname "$0")/../lib.sh"

export XDG_CACHE_HOME=$tmp/cache
run=$(realpath "$(dirname "$DTX")")/dtx-run
# asked HOSTS: by how many descriptions the cache grows in a run of them; of gone-… there is nobody.
asked() {
	local before
	before=$(find "$tmp/cache" -name 'machine-*' 2>/dev/null | wc -l)
	timeout 60 "$DTX" --hosts "$1" --via "case %h in gone*) exit 1 ;; esac; exec $run --agent" -x hostwait=1m \
		-qn 'BEGIN { @["x"] = count(); exit(0); }' >"$tmp/out" 2>"$tmp/err" || fail "status $?: $(cat "$tmp/out" "$tmp/err")"
	echo $(($(find "$tmp/cache" -name 'machine-*' | wc -l) - before))
}
same 1 "$(asked web1)" 'nothing is kept'
same 0 "$(asked web1)" 'its own is kept'
same 1 "$(asked web2)" 'only that of another host is kept, which has no part in the run'
mv "$tmp/cache" "$tmp/one"
same 1 "$(asked gone-1,web3)" 'nothing is kept'
kept=$(ls "$tmp/cache/dtx/"*-web3)
mv "$kept" "${kept%web3}gone-1"
same 0 "$(asked gone-1,web3)" 'another host of the run has described it'
same 1 "$(asked web3)" 'of a host that has no part in the run'
# Of another boot it serves, too: the image is of none, or the host says so and gets one of its own.
boot=$(cat /proc/sys/kernel/random/boot_id)
kept=$(ls "$tmp/cache/dtx/"*-web3)
rm "$tmp/cache/dtx/"*-gone-1
mv "$kept" "${kept/$boot/00000000-0000-4000-8000-000000000000}"
same 0 "$(asked web3)" 'one of another boot'
[ "$(value x)" = 1 ] || fail "one of another boot: $(cat "$tmp/out" "$tmp/err")"
chmod 666 "$tmp/cache/dtx/"*-web3
same 1 "$(asked web3)" 'others may write it'
