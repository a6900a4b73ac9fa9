#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes gcc
# timeout: 60
#
# On arm64 a program may keep a tag in the highest byte of an address: the processor ignores it, and so does the kernel in a
# system call of a program that asks for it (PR_SET_TAGGED_ADDR_CTRL). What lies there is read; the pointer itself is shown as it is.
# A tag of 0x80 or above makes no address of the kernel of it.
# truth: pointers with a tag, arm64 | copyin(), copyinstr(), stringof(), members behind them | the program's own memory
. "$(dirname "$0")/../lib.sh"
[ "$(uname -m)" = aarch64 ] || skip "needs a processor that ignores the highest byte of an address"

gcc -x c -g -O1 -o "$tmp/tagged" - <<'END' || fail "cannot compile"
#include <fcntl.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <unistd.h>
#define TAGGED(tag, p) ((void *)((unsigned long)(p) | (tag##ul << 56)))
struct node { int n; char text[8]; const char *name; struct node *next; };
__attribute__((noipa)) void take(const char *text, const struct node *p) { }
int main(void)
{
	char *args[] = { TAGGED(0xb4, "true"), TAGGED(0x2a, "one"), NULL };
	struct node b = { 2, "two", "second", NULL };
	struct node a = { 1, "one", TAGGED(0x2a, "first"), TAGGED(0xb4, &b) };

	take(TAGGED(0xff, "text"), TAGGED(0xb4, &a));
	prctl(PR_SET_TAGGED_ADDR_CTRL, PR_TAGGED_ADDR_ENABLE, 0, 0, 0);
	close(open(TAGGED(0xb4, "/dev/null"), O_RDONLY));
	execve(TAGGED(0xb4, "/bin/true"), args, NULL);
	return 1;
}
END
dtx -qn '
	pid$target:tagged:take:entry { printf("%s %s %x %x\n", copyinstr(arg0), stringof(args[0]), (uint64_t)arg0 >> 56, (uint64_t)arg1 >> 56);
		printf("%d %s %s\n", args[1]->n, args[1]->text, stringof(args[1]->name));
		printf("%d %s %s\n", args[1]->next->n, args[1]->next->text, stringof(args[1]->next->name));
		this->copy = (int *)copyin(arg1, 4); printf("%d %d\n", *this->copy, *(int *)copyin((uintptr_t)args[1]->next, 4)); }
	syscall::openat:entry /pid == $target && (uint64_t)arg1 >> 56 == 0xb4/ { printf("%s\n", copyinstr(arg1)); }
	syscall::execve:entry /pid == $target && (uint64_t)arg0 >> 56 == 0xb4/ { printf("%s\n", copyinstr(arg0)); }' -c "$tmp/tagged"
sed '/^$/d' "$tmp/out" | diff - <(cat <<'END'
text text ff b4
1 one first
2 two second
1 2
/dev/null
/bin/true
END
) || fail "$(cat "$tmp/err")"
# A string that is cut is told, and what is written arrives.
dtx -x strsize=4 -qn 'pid$target:tagged:take:entry { trace(copyinstr(arg0)); }' -c "$tmp/tagged"
grep -q '^tex' "$tmp/out" && grep -q 'cut to strsize' "$tmp/err" || fail "not told: $(cat "$tmp/out" "$tmp/err")"
if "$DTX" --features | grep -q '^write-user *yes'; then
	dtx -wqn 'pid$target:tagged:take:entry { this->n = (int *)alloca(4); *this->n = 9; copyout(this->n, arg1, 4);
		trace(*(int *)copyin(arg1, 4)); }' -c "$tmp/tagged"
	same "$(tr -d ' \n' <"$tmp/out")" 9 'what is written'
fi
exit 0
