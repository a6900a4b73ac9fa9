#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root python3 gcc
#
# pystack() where there are no frames says why: no Python, no thread of Python, a version that cannot be read,
# structures that lie. Nothing is invented, and nothing loops for ever.
. "$(dirname "$0")/../lib.sh"
python=$(readlink -f "$(python3 -c 'import sys; print(sys.executable)')")

# stacks COMMAND: what pystack() has at getppid(), a line each.
stacks() {
	"$DTX" -qn 'syscall::getppid:entry /pid == $target/ { pystack(); }' -c "$1" >"$tmp/out" 2>"$tmp/err" || fail "$(cat "$tmp/err")"
	sed 's/^ *//' "$tmp/out" | grep . | uniq
}
# program NAME TEXT: a program of C that has the symbols of an interpreter.
program() {
	{ printf '#include <unistd.h>\n#include <stdint.h>\n#include <sys/syscall.h>\n'; cat; } >"$tmp/$1.c"
	gcc -O1 -D_GNU_SOURCE -Wall -Werror=implicit-function-declaration -rdynamic -o "$tmp/$1" "$tmp/$1.c" -lpthread || fail "cannot compile $1"
}

program c <<<'int main(void) { return syscall(SYS_getppid) < 0; }'
same '[no Python frames: not a Python process]' "$(stacks "$tmp/c")" 'a program of C'

# A thread that the interpreter does not know.
cat >"$tmp/thread.py" <<'END'
import ctypes, os
c = ctypes.PyDLL(None)
c.pthread_create.restype = ctypes.c_int
t = ctypes.c_ulong()
c.pthread_create(ctypes.byref(t), None, ctypes.cast(c.getppid, ctypes.c_void_p), None)
ctypes.CDLL(None).pthread_join(t, None)
END
same '[no Python frames: not a thread of Python]' "$(stacks "$python $tmp/thread.py")" 'a thread of C'

# Versions.
program old <<<'long _PyRuntime[100]; long PyCode_Type[9]; int main(void) { return syscall(SYS_getppid) < 0; }'
same '[no Python frames: a version of Python that dtx cannot read]' "$(stacks "$tmp/old")" 'no version'
grep -qF "dtx: warning: pystack() cannot read Python before 3.11 ($tmp/old)" "$tmp/err" || fail "the warning: $(cat "$tmp/err")"
program new <<<'long _PyRuntime[100] = { 1 }; long PyCode_Type[9]; const unsigned long Py_Version = 0x03630000;
	int main(void) { return syscall(SYS_getppid) < 0; }'
same '[no Python frames: a version of Python that dtx cannot read]' "$(stacks "$tmp/new")" '3.99'
grep -qF 'cannot read Python 3.99' "$tmp/err" || fail "the warning: $(cat "$tmp/err")"
# An interpreter of 3.13 whose offsets cannot be.
program mad <<<'unsigned long _PyRuntime[100] = { 0x7970677562656478, 0x030d00f0, 0, [3 ... 99] = 1ul << 40 };
	long PyCode_Type[9]; const unsigned long Py_Version = 0x030d00f0; int main(void) { return syscall(SYS_getppid) < 0; }'
same '[no Python frames: a version of Python that dtx cannot read]' "$(stacks "$tmp/mad")" 'mad offsets'

# Structures of 3.11 that lie. ME makes the state of this thread, with a first frame F.
me='const unsigned long Py_Version = 0x030b02f0; void *_PyRuntime[100]; long PyCode_Type[9];
void *interp[10], *state[40], *cframe[4], *code[40], *frame[20];
static void me(void *f) {
	_PyRuntime[40 / 8] = interp; interp[16 / 8] = state; state[160 / 8] = (void *)(long)gettid();
	state[56 / 8] = cframe; cframe[1] = f; code[1] = PyCode_Type; frame[32 / 8] = code;
	frame[56 / 8] = (char *)code + 184;
}
'
program nobody <<<"$me"'int main(void) { me(frame); state[20] = 0; state[1] = state; return syscall(SYS_getppid) < 0; }'
same '[no Python frames: not a thread of Python]' "$(stacks "$tmp/nobody")" 'a list of threads without end'
program idle <<<"$me"'int main(void) { me(0); return syscall(SYS_getppid) < 0; }'
same '[no Python frames: the thread runs no function of Python]' "$(stacks "$tmp/idle")" 'no frame'
program wild <<<"$me"'int main(void) { me((void *)0xdeadbeef000); return syscall(SYS_getppid) < 0; }'
same '[incomplete: memory that cannot be read]' "$(stacks "$tmp/wild")" 'a frame that is not there'
program other <<<"$me"'int main(void) { me(frame); code[1] = code; return syscall(SYS_getppid) < 0; }'
same '[incomplete: memory that cannot be read]' "$(stacks "$tmp/other")" 'a code object of another type'
# A frame that calls itself, with texts and a table that are not there.
program circle <<<"$me"'int main(void) { me(frame); frame[48 / 8] = frame; return syscall(SYS_getppid) < 0; }'
same '? ?' "$(stacks "$tmp/circle")" 'a frame without names'
same 100 "$(grep -c '? ?' "$tmp/out")" 'frames of a circle'
# Texts and tables with absurd lengths, numbers of 99 bytes, control characters.
program absurd <<<"$me"'unsigned char str[300] = { [16] = 200, [32] = 0x64, [48 ... 299] = 7 }, table[300] = { [16] = 0xff, [17] = 0xff, [20] = 1, [32] = 0xe8, [33 ... 299] = 0x7f };
	int main(void) { me(frame); code[112 / 8] = code[128 / 8] = str; code[136 / 8] = table; return syscall(SYS_getppid) < 0; }'
stacks "$tmp/absurd" >/dev/null
grep -qE '^ *\?{200} \?{160}\.\.\.$' "$tmp/out" || fail "absurd texts: $(cat -v "$tmp/out")"
