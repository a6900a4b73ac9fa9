#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# Probes in programs of hosts: --program has the hosts describe them. A host whose file at the path is another one gets an image
# of its own, one without the file is named, and what this machine has there is never asked.
# needs: root uprobes gcc unshare
# timeout: 120
# truth: a fleet with two builds of a program, uprobe and usdt over hosts | arguments, by hostname | each host runs its build: 100 calls, with its numbers
. "$(dirname "$0")/../lib.sh"
cd "$tmp" || exit 1
[[ $DTX = /* ]] || DTX=$OLDPWD/$DTX

export XDG_CACHE_HOME=$tmp/cache
echo 'provider shop { probe sale(int); };' >shop.d
"$DTX" -h -s shop.d
cat >first.c <<'END'
#include "shop.h"
#ifdef SECOND
__attribute__((noinline)) int other(int x) { __asm__ volatile("nop\n\tnop" : "+r"(x)); return x; }
#endif
__attribute__((noinline)) int work(int n) { SHOP_SALE(n * STEP); return n; }
int main(void)
{
	for (int i = 0; i < 100; i++)
		work(STEP);
	return 0;
}
END
mkdir a1 b1 c2 gone here
gcc -g -O1 -DSTEP=1 -o a1/prog first.c
cp -p a1/prog b1
gcc -g -O1 -DSTEP=20 -DSECOND -o c2/prog first.c
gcc -g -O1 -DSTEP=300 -o here/prog first.c
cat >host <<-E
	#!/bin/sh
	exec unshare --uts --mount sh -c 'hostname "\$1"; mount --bind "$tmp/\$1" "$tmp/here"; exec $(dirname "$DTX")/dtx-run --agent' sh "\$1"
	E
chmod +x host
fleet() { timeout 60 "$DTX" --hosts "$1" --via "$tmp/host %h" -x hostwait=1m "${@:2}" >out 2>err; }
told() { grep -qF -- "$1" err || fail "not told: $1, but: $(cat out err)"; }

for probe in "uprobe:$tmp/here/prog:work:entry" "usdt:$tmp/here/prog:shop:sale"; do
	fleet a1,b1,c2,gone -c "$tmp/here/prog" --program "$tmp/here/prog" -qn "$probe { @[hostname] = sum(arg0); }" || fail "status $?: $(cat out err)"
	if [[ $probe = usdt* ]]; then two=40000; else two=2000; fi
	same "a1 100 b1 100 c2 $two" "$(xargs <out | sed -E 's/ ([abc])/\n\1/g' | sort | xargs)" "$probe: $(cat err)"
	grep -q '^dtx: gone: left out: .*here/prog' err || fail "no file: $(cat err)"
	same '' "$(find "$tmp/cache" -name 'machine-*' 2>/dev/null)" 'descriptions with programs are kept'
done

if fleet a1 -qn "uprobe:$tmp/here/prog:work { @ = count(); }"; then fail 'without --program'; fi
told 'dtx --hosts LIST --program PATH'
if fleet a1 --program "$tmp/here/prog" -r out; then fail 'an image'; fi
told '--program is for what is compiled for the hosts'
