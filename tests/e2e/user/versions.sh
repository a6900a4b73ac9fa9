#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes gcc
# truth: versions of a function | calls, arguments and results of NAME@V1 and NAME@@V2 by their common name | the program's own calls
#
# A library may have several functions of one name, for programs of several ages (pthread_cond_wait of glibc). Named exactly, all are
# probed, also without a table of symbols. What asks for one gets the one that programs are linked with today.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/lib.c" <<'END'
struct older { int n; };
struct newer { long first; int n; };
__attribute__((noipa)) int older(struct older *a) { return a->n + 1; }
__attribute__((noipa)) int newer(struct newer *b) { return b->n + 2; }
__asm__(".symver older,buy@V1");
__asm__(".symver newer,buy@@V2");
END
cat >"$tmp/main.c" <<'END'
int buy(int *), old(int *);
__asm__(".symver old,buy@V1");
int main(void) { for (int i = 0; i < 3; i++) old((int[]){ i, 0, 0 }); for (int i = 0; i < 5; i++) buy((int[]){ 0, 0, i * 10 }); }
END
echo 'V1 { global: buy; local: *; }; V2 { global: buy; } V1;' >"$tmp/map"
(cd "$tmp" && gcc -g -O2 -fPIC -shared -Wl,--version-script=map -o libbuy.so lib.c && gcc -O2 -o main main.c -L. -lbuy "-Wl,-rpath,$tmp") ||
	fail "cannot compile"
calls='@[probename] = count(); @sum[probename] = sum(probename == "return" ? arg1 : 0);'
asked() { dtx -qn "pid\$target:libbuy.so:buy:entry, pid\$target:libbuy.so:buy:return { $calls }" -c "$tmp/main"; tr -s ' \n' ' ' <"$tmp/out"; }
same ' entry 8 return 8 entry 0 return 116 ' "$(asked)" "with symbols"
same 'struct newer *b' "$("$DTX" -vln "uprobe:$tmp/libbuy.so:buy:entry" | sed -n 's/.*args\[0\]: //p' | head -1)" "the first is today's"
dtx -qn 'pid$target:libbuy.so:buy@V1:entry { @ = sum(args[0]->n); } pid$target:libbuy.so:buy@@V2:entry { @new = sum(args[0]->n); }' -c "$tmp/main"
same ' 3 100 ' "$(tr -s ' \n' ' ' <"$tmp/out")" "each by its version, with its types"
strip "$tmp/libbuy.so"
same ' entry 8 return 8 entry 0 return 116 ' "$(asked)" "stripped"
one() { dtx -qn "pid\$target:libbuy.so:buy$1:entry { @ = count(); }" -c "$tmp/main"; tr -d ' \n' <"$tmp/out"; }
same '3 5 5' "$(one @V1) $(one @V2) $(one @@V2)" "one version, stripped"
for none in @@V1 @V3 @; do
	refused "buy$none" -qn "uprobe:$tmp/libbuy.so:buy$none:entry { }"
done
