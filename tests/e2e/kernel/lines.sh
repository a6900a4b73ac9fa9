#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Lines of the source of the kernel and of its modules, and the variables in scope there: what is said without
# debugging information; a module without and with optimisation, whose own information is found by its build id and
# beside the installed modules; and the kernel's, which is made here for one function, with its build id.
# needs: kprobes gcc
# where: guest
# on: newest
# row: options.stackinline
# timeout: 90
. "$(dirname "$0")/../lib.sh"
release=$(uname -r)
DTX=$(readlink -f "$DTX") t=$(readlink -f "$t")
cd "$tmp" || exit 1

cat >shop.c <<'C'
struct item { int price; long count; char name[16]; };

int total_sold = 7;
static long hidden = 99;
static volatile long shelf = 1;
/* The module's other file has these, too. */
static volatile long moved __attribute__((section(".data.moved"))) = 1;
static volatile long twin = 5;

static inline __attribute__((always_inline)) long cost(const struct item *it, int tax)
{
	long base = it->price * it->count;
	long whole = base + base * tax / 100;

	return whole;
}

static __attribute__((noinline)) long sell(struct item *it, int n, int tax)
{
	volatile int table[4] = { 1, 2, 3, n };
	long sum = table[3];

	for (int i = 0; i < n; i++)
		sum += cost(it, tax);
	total_sold += n;
	hidden -= n;
	return sum;
}

/* What they were called with, only their callers still have where they end. */
static __attribute__((noipa)) long use(long v) { return v + total_sold; }
static __attribute__((noipa)) long deep(long n, long m)
{
	long r = n ? deep(n - 1, m * 3 + 1) : 0;

	r += use(r) + use(r + 1);
	total_sold += 0 * use(r);	/* deep */
	return r;
}
static __attribute__((noipa)) long flat(long n, struct item *it)
{
	long r = use(1);

	r += use(r) + it->count;
	shelf = r;	/* flat */
	return use(r);
}

static __attribute__((noipa, no_instrument_function)) long bare(long n)
{
	long r = use(1);

	shelf = r;	/* bare */
	return use(r);
}

static __attribute__((noipa)) long same(long n)
{
	shelf = n;	/* same */
	return use(n);
}

static int set(const char *text, const void *param)
{
	struct item pen = { 10, 3, "pen" };
	long got = sell(&pen, text[0] - '0', 20);

	got += cost(&pen, 1);
	hidden += got;
	shelf = got;
	flat(got, &pen);
	deep(3, 5);
	flat(7, &pen);
	bare(8);
	same(9);
	moved = 2;
	return 0;
}

int init_module(void) { return 0; }
void cleanup_module(void) { }

/* linux/moduleparam.h: a write to /sys/module/NAME/parameters/go calls set(). */
static const struct { unsigned flags; void *set, *get, *free; } ops = { 0, (void *)set, 0, 0 };
static const struct { const char *name; void *mod; const void *ops; short perm; char level, flags; void *arg; }
	go __attribute__((used, section("__param"), aligned(8))) = { "go", 0, &ops, 0200, -1, 0, 0 };
C
line() { grep -nF -m 1 -- "$1" shop.c | cut -d: -f1; }

# A module as the kernel's build system makes it, with calls for ftrace, or it has no probes: what differs between kernels is as in one of theirs.
other=$(module_file dummy)
case $other in *.xz) xz -dc "$other" >other.ko ;; *) cp "$other" other.ko ;; esac
objcopy --dump-section __versions=versions other.ko 2>/dev/null
size=$(readelf -SW other.ko | sed -n 's/.* \.gnu\.linkonce\.this_module  *[A-Z]*  *[0-9a-f]* [0-9a-f]* \([0-9a-f]*\).*/\1/p')
at_symbol() { readelf -rW other.ko | awk -v s="$1" '/^Relocation/ { on = /this_module/ } on && $5 == s { print $1 }'; }
init=$(at_symbol init_module) exit=$(at_symbol cleanup_module)
magic=$(strings -n 8 other.ko | grep -m 1 ^vermagic=)
{ [ -n "$size" ] && [ -n "$init" ] && [ -n "$exit" ] && [ -n "$magic" ]; } || fail "the module $other is not understood"
# What other tests in this guest must not find.
forget() { rm -rf "/lib/modules/$release/extra" /usr/lib/debug/.build-id "/usr/lib/debug/boot/vmlinux-$release"; }
trap 'rmmod shop0 shop2; forget; rm -rf "$tmp"' EXIT
for o in 0 2; do
	cat >"mod$o.s" <<S
	.section .gnu.linkonce.this_module, "aw"
	.balign 64
	.globl __this_module
__this_module:
	.skip 24
	.asciz "shop$o"
	.org 0x$init
	.quad init_module
	.org 0x$exit
	.quad cleanup_module
	.org 0x$size
	.section .modinfo, "a"
	.asciz "license=GPL"
	.asciz "$magic"
	.asciz "name=shop$o"
	.data
	.balign 8
	.type twin, @object
	.size twin, 8
twin:	.quad 2
	.section .data.moved, "aw"
	.type moved, @object
	.size moved, 8
moved:	.quad 2
	.text
	.type same, @function
	.size same, 1
same:	ret
	.section .note.GNU-stack
S
	gcc -g -O$o -c -ffreestanding -fno-pic -mcmodel=kernel -mno-red-zone -mno-sse -fno-stack-protector -fcf-protection=branch \
		-fno-asynchronous-unwind-tables -pg -mfentry -mrecord-mcount -o "shop$o.o" shop.c && gcc -c -o "mod$o.o" "mod$o.s" &&
		ld -r --build-id=sha1 -o "shop$o.ko" "mod$o.o" "shop$o.o" || fail "the module is not built"
	[ ! -s versions ] || objcopy --add-section __versions=versions --set-section-flags __versions=alloc,readonly "shop$o.ko"
	insmod "shop$o.ko" || fail "shop$o.ko is not loaded: $(dmesg | tail -n 5)"
done

# Without debugging information: which file is missing.
forget
refused "vmlinux-$release" -n 'kprobe:tcp.c:1180'
refused "module 'shop0' has no debugging information: compile it with -g, and install it as /lib/modules/$release/extra/shop0.ko" -n 'kprobe:shop0:shop.c:20'
refused "the kernel has not loaded a module 'shop1'" -n 'fbt:shop1:shop.c@20'
refused "a line has no return probe" -n 'kretprobe:tcp.c:1180'

mkdir -p "/lib/modules/$release/extra" /usr/lib/debug/.build-id
cp shop2.ko "/lib/modules/$release/extra/"
id=$(readelf -n shop0.ko | sed -n 's/.*Build ID: //p')
mkdir -p "/usr/lib/debug/.build-id/${id:0:2}"
objcopy --only-keep-debug shop0.ko "/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug"

# One run for each module: the variables at several lines.
clauses() {
	local o=$1 at text
	shift
	while [ $# -gt 0 ]; do
		at=$(line "$1") text=$2
		echo "fbt:shop$o:shop.c@$at { printf($text); }"
		shift 2
	done
}
sell=$(line 'long sell(') cost=$(line 'long cost(')
run() { dtx -qn "$(clauses "$@")" -c "sh -c 'echo 3 >/sys/module/shop$1/parameters/go'"; }
run 0 'total_sold += n' '"sum %d n %d tax %d|%d %s %d|%d|", sum, n, tax, it->price, it->name, table[3], total_sold' \
	'hidden -= n' '"sold %d hidden %d|", total_sold, hidden' \
	'long whole' '"base %d;", base' 'hidden += got' '"got %d %s", got, pen.name'
same "base 30;base 30;base 30;sum 111 n 3 tax 20|10 pen 3|7|sold 10 hidden 99|base 30;got 141 pen" "$(cat out)" "-O0: $(cat err)"
run 2 'total_sold += n' '"n %d tax %d|%d|", n, tax, total_sold' 'hidden -= n' '"hidden %d|", hidden' \
	'hidden += got' '"got %d", got'
same "n 3 tax 20|7|hidden 99|got 141" "$(cat out)" "-O2: $(cat err)"

# Names that another file of the module has, too: by the nearest symbol before them that has its own.
run 0 'same */' '"n %d twin %d", n, twin'
same "n 9 twin 5" "$(cat out)" "static ones of one name: $(cat err)"
refused "its module has several symbols of its name" -n "fbt:shop0:shop.c@$(line 'moved = 2') { trace(args.moved); }"

# Parameters that only the caller still has: those of this call, at each depth. Not those of a call that began before.
readelf --debug-dump=loc shop2.ko 2>/dev/null | grep -q entry_value || fail "gcc has kept all parameters"
run 2 'deep */' '"%d %d;", n, m' 'flat */' '"n %d %s;", n, it->name'
same "n 141 pen;0 148;1 49;2 16;3 5;n 7 pen;" "$(grep . out)" "parameters of callers: $(cat err)"
run 2 'flat */' '"n %d;", n'
same "n 141;n 7;" "$(grep . out)" "parameters of one function: $(cat err)"
refused "only its caller, and the kernel cannot trace the function where it begins" -n "fbt:shop2:shop.c@$(line 'bare */') { trace(n); }"

# Variables at an instruction; an inlined function has its entry in each copy.
dtx -qn 'kprobe:shop2:set+0x0 { printf("%c;", text[0]); } fbt:shop0:cost:entry { @ = count(); } END { printa("%@d", @); }' \
	-c "sh -c 'echo 4 >/sys/module/shop2/parameters/go; echo 4 >/sys/module/shop0/parameters/go'"
same "4;5" "$(cat out)" "an instruction, an inlined function: $(cat err)"

# Frames of stacks: the line of the call in a function, and what is inlined there.
dtx -x stacklines -x stackinline -qn "fbt:shop0:shop.c@$(line 'long whole') { stack(2); }" -c "sh -c 'echo 1 >/sys/module/shop0/parameters/go'"
for text in "shop0\`cost (shop.c:$(line 'long whole')) \[inlined\]\$" "shop0\`sell+0x[0-9a-f]* (shop.c:$(line 'sum += cost'))\$" \
	"shop0\`set+0x[0-9a-f]* (shop.c:$(line 'got = sell'))\$"; do
	grep -q "^ *$text" out || fail "no frame '$text': $(cat out err)"
done

# A number of lines in a function; the module need not be named; an inlined line has several places.
at=$(line 'total_sold += n')
dtx -ln "kprobe:sell:$((at - sell)), kprobe:shop2:sell:$((at - sell)), fbt:shop2:sell:@+$((at - sell)), kprobe:shop.c:$at"
grep -q "sell shop.c@$at\$" out || fail "the line in sell: $(cat out)"
[ "$(grep -c 'fbt  *shop' out)" -ge 2 ] || fail "lines of two modules: $(cat out)"
dtx -lv -n "fbt:shop0:cost:@+3"
for text in "shop.c:$((cost + 3)): long whole = base + base * tax / 100;" "2 places, 2 of them in other functions" "args.base: long base" \
	"args.it: struct item *it" "args.total_sold: int total_sold"; do
	grep -qF "$text" out || fail "-lv has no '$text': $(cat out)"
done
dtx -ln 'fbt:shop2:sell:@*'
[ "$(grep -c 'shop2  *sell' out)" -ge 4 ] || fail "lines of sell: $(cat out)"
refused "no statement begins at line 1 of shop.c: the nearest is at" -n 'kprobe:shop2:shop.c:1'

# The kernel: one function of the running one, where its code is; a variable is in the register of the first argument.
f=${sys}getpgid
address() { awk -v s="$1" '$3 == s && !m[s]++ { print "0x" $1 }' /proc/kallsyms; }
start=$(address _stext)
linked() { printf '0x%x' $((0xffffffff81000000 + $(address "$1") - start)); }
cat >pgid.c <<C
struct regs { unsigned long other[14], di; };
__attribute__((section(".timeout"))) int panic_timeout;
__attribute__((section(".pgid"))) long $f(const struct regs *given)
{
	return given->di;
}
C
echo '.section .stext, "ax"; .globl _stext; _stext: nop; .section .note.GNU-stack' >stext.s
gcc -g -O2 -c -fcf-protection=none -fno-pic -mcmodel=kernel pgid.c && gcc -c stext.s || fail gcc
id=$(od -An -v -tx1 /sys/kernel/notes | tr -d ' \n' | sed -n 's/.*040000001400000003000000474e5500\([0-9a-f]\{40\}\).*/\1/p')
mkdir -p /usr/lib/debug/boot
vmlinux=/usr/lib/debug/boot/vmlinux-$release
link() { ld -e 0 --build-id="0x$1" --section-start=.stext=0xffffffff81000000 --section-start=.pgid="$(linked $f)" \
	--section-start=.timeout="$(linked panic_timeout)" -o "$vmlinux" pgid.o stext.o; }
link 00112233445566778899aabbccddeeff00112233 || fail ld
refused "$vmlinux is of another build of the kernel" -n "kprobe:$f:2"
link "$id" || fail ld
dtx -qn "kprobe:$f:2 /pid == \$target/ { @[given->di == pid] = count(); } END { printa(\"%d %@d\n\", @); }" \
	-c "perl -e 'getpgrp(\$\$) for 1..20'"
same "1 20" "$(grep . out)" "a line of the kernel: $(cat out err)"
panic=$(cat /proc/sys/kernel/panic)
echo 305419896 >/proc/sys/kernel/panic
dtx -qn "kprobe:$f:2 /pid == \$target/ { @ = max(args.panic_timeout); } END { printa(\"%@d\n\", @); }" -c "perl -e 'getpgrp(\$\$)'"
echo "$panic" >/proc/sys/kernel/panic
same 305419896 "$(grep . out)" "a global of the kernel: $(cat out err)"
exit 0
