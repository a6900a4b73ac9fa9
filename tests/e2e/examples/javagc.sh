#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes java javac
# timeout: 60
#
# examples/javagc.d: a program that keeps 30 MB, asks for a collection, lets them go, and asks twice more.
. "$(dirname "$0")/tool.bash"

cat >"$tmp/Load.java" <<'JAVA'
public class Load {
	static byte[][] kept = new byte[310][];
	public static void main(String[] a) throws Exception {
		Thread.sleep(500);                       // until the probes of the library are there
		for (int i = 0; i < kept.length; i++) kept[i] = new byte[100 << 10];
		System.gc();
		kept = null;
		System.gc();
		System.gc();
	}
}
JAVA
javac -d "$tmp" "$tmp/Load.java" || fail 'javac'
for collector in Serial Parallel G1; do
	run="java -XX:+Use${collector}GC -Xmx200m -cp $tmp Load" tool javagc
	heading 'TIME PID KIND US BEFORE_KB AFTER_KB'
	# What is kept before and after, in 30 MB.
	same '1 1
1 0
0 0' "$(rows '$3 == "full" { print int($5 / 30720), int($6 / 30720) }')" "$collector: not what the pools had"
	same "$(rows '$3 == "full" || $3 == "young"' | wc -l)" "$(awk '/\|/ { n += $NF } END { print n }' "$tmp/out")" \
		"$collector: other collections are counted than shown"
done
