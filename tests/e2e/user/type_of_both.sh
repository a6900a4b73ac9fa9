#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# A type of the program that has the name of one of the kernel's: in probes of the program the plain name is refused, with
# both spellings. A type that both share (struct iovec) is not.
# needs: uprobes btf gcc
# beside: it compiles and starts programs, and waits for no clock
# truth: typedefs of both the program and the kernel | sizeof and members by each spelling | the program's own definition
# truth: types of both the program and the kernel | sizeof and members by each spelling | the program's own definition
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/ks.c" <<'C'
#include <sys/uio.h>
struct list_head { int price; struct list_head *next; int last; };
struct page { int index; int flags; };
__attribute__((noinline)) int sell(void *p, void *q, struct iovec *v) { return ((struct list_head *)p)->price + ((struct page *)q)->flags + (int)v->iov_len; }
int main(void)
{
	struct list_head i = { 42, 0, 43 };
	struct page p = { 44, 45 };
	struct iovec v = { 0, 46 };

	return sell(&i, &p, &v) == 0;
}
C
gcc -g -O0 -o "$tmp/ks" "$tmp/ks.c" || fail gcc
for e in 'sizeof(struct page)' '((struct list_head *)args.p)->next == NULL' '((struct page *)arg1)->index' '(uintptr_t)((struct list_head *)copyin(arg0, 24))->next'; do
	for p in "uprobe:$tmp/ks:sell:entry" 'pid$target:a.out:sell:entry'; do
		"$DTX" -qn "$p { trace($e); }" -c "$tmp/ks" >"$tmp/out" 2>"$tmp/err" && fail "$p, $e: $(cat "$tmp/out")"
		grep -q "write 'struct pid\`.*' for the program's, 'struct vmlinux\`.*' for the kernel's" "$tmp/err" || fail "$p, $e: $(cat "$tmp/err")"
	done
done
while IFS='|' read -r e want; do
	dtx -qn "uprobe:$tmp/ks:sell:entry { printf(\"%d\\n\", (int)($e)); }" -c "$tmp/ks"
	same "$want" "$(grep . "$tmp/out")" "$e"
done <<'END'
sizeof(struct pid`page)|8
((struct pid`list_head *)args.p)->price|42
((struct pid`list_head *)args.p)->next == NULL|1
sizeof(struct vmlinux`list_head)|16
sizeof(struct iovec)|16
sizeof(struct task_struct) > 1000|1
END
# In other probes the name is the kernel's.
dtx -qn 'BEGIN { printf("%d\n", sizeof(struct list_head)); exit(0); } uprobe:'"$tmp"'/ks:sell:entry { }'
same 16 "$(grep . "$tmp/out")" "BEGIN"

# Typedefs: of a struct, of numbers of another size or sign, of a pointer; those that are the same are not.
cat >"$tmp/td.c" <<'C'
typedef struct { int price; long more; } kuid_t;
typedef int sector_t;
typedef char *gfp_t;
typedef struct { int counter; } atomic_t;
typedef unsigned int u32;
typedef struct own { int n; } own_t;
__attribute__((noinline)) int sell(void *p, kuid_t *k, sector_t s, gfp_t g, atomic_t *a, u32 u, own_t *o) { return k->price + s + a->counter + o->n + (int)u; }
int main(void)
{
	kuid_t k = { 42 };
	atomic_t a = { 43 };
	own_t o = { 44 };

	return sell(&k, &k, 2, "", &a, 4, &o) == 0;
}
C
gcc -g -O0 -o "$tmp/td" "$tmp/td.c" || fail gcc
for t in kuid_t sector_t gfp_t; do
	for e in "sizeof($t)" "*(($t *)arg0)" "(uintptr_t)(*($t *)copyin(arg0, 24))"; do
		"$DTX" -qn "uprobe:$tmp/td:sell:entry { trace($e); }" -c "$tmp/td" >"$tmp/out" 2>"$tmp/err" && fail "$e: $(cat "$tmp/out")"
		grep -q "write 'pid\`$t' for the program's, 'vmlinux\`$t' for the kernel's" "$tmp/err" || fail "$e: $(cat "$tmp/err")"
	done
done
while IFS='|' read -r e want; do
	dtx -qn "uprobe:$tmp/td:sell:entry { printf(\"%d\\n\", (int)($e)); }" -c "$tmp/td"
	same "$want" "$(grep . "$tmp/out")" "$e"
done <<'END'
sizeof(pid`kuid_t)|16
((pid`kuid_t *)arg0)->price|42
sizeof(vmlinux`kuid_t)|4
sizeof(pid`sector_t)|4
sizeof(atomic_t)|4
((atomic_t *)args.a)->counter|43
sizeof(u32)|4
sizeof(own_t)|4
args.k->price|42
END
