#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf make gcc nm strip
# beside: it compiles and starts programs, and waits for no clock
# where: native
# timeout: 120
#
# What `make install` gives is enough to build on: a program that compiles D, one that only runs images, the example
# of the documentation, and those at the heads of the two headers. The libraries export what the headers declare; dtx-run is small.
. "$(dirname "$0")/../lib.sh"
plain "the libraries are built with a sanitizer, or another command runs in place of dtx"

make -s install DESTDIR="$tmp/to" PREFIX=/usr >"$tmp/log" 2>&1 || { cat "$tmp/log" >&2; fail "make install"; }
to=$tmp/to/usr
run=$to/bin/dtx-run

# libs NAME: what a program links, by the installed NAME.pc, read where it was installed to.
libs() { sed -n "s|^Libs: -L/usr/lib |-L$to/lib |p" "$to/lib/pkgconfig/$1.pc"; }

# The folder of this compiler is another one in the next Debian.
grep -H '/usr/lib/gcc' "$to"/lib/pkgconfig/*.pc >&2 && fail "a .pc file names a folder of this compiler"

# build NAME LIBRARY: $tmp/NAME.c with the installed headers and LIBRARY.
build() {
	# shellcheck disable=SC2046 # words
	gcc -Wall -Wextra -Wno-unused-parameter -Werror -I"$to/include" "$tmp/$1.c" -o "$tmp/$1" $(libs "$2") -Wl,--gc-sections || fail "$1 does not build"
}

# example HEADER: the program at its head.
example() { sed -n '/^#/q; s/^ \*     //p' "$to/include/$1"; }

# --- three programs, and the second header's example ------------------------------------------------

example dtx.h >"$tmp/example.c"
build example libdtx-static
"$tmp/example" >"$tmp/out" 2>"$tmp/err" || fail "the example of dtx.h fails"
[ ! -s "$tmp/err" ] || fail "the example of dtx.h says: $(cat "$tmp/err")"
grep -qE '^ +[^ ].* [1-9][0-9]*$' "$tmp/out" || fail "the example of dtx.h counts nothing: $(cat "$tmp/out")"

cat >"$tmp/whole.c" <<'C'
#include <dtx.h>
#include <stdlib.h>
#include <string.h>

static void show(void *arg, const struct dtx_message *m)
{
	char *text = dtx_message_text(m, false);

	fputs(text, stderr);
	free(text);
}

int main(int argc, char **argv)
{
	const char *text = "BEGIN { printf(\"%s %d\\n\", \"ran\", 7); exit(5); }";
	struct dtx *d = dtx_open();
	dtx_on_message(d, show, NULL);
	int err = dtx_set_option(d, "quiet", NULL) || dtx_program_add(d, DTX_PROG_NAME, "-n", text, strlen(text));

	if (argc > 1)
		err = err || dtx_image_write(d, argv[1]);
	else
		err = err || dtx_list(d, false, stdout) || dtx_compile(d) || dtx_enable(d) || dtx_start(d, stdout) || dtx_run(d);
	int status = dtx_exit_status(d);
	dtx_close(d);
	return err ? 1 : status;
}
C
build whole libdtx-static
"$tmp/whole" >"$tmp/out" 2>&1
same 5 $? "status of the whole program: $(cat "$tmp/out")"
grep -qx 'ran 7' "$tmp/out" || fail "output of the whole program: $(cat "$tmp/out")"
grep -qE '^ +1 +dtrace +BEGIN$' "$tmp/out" || fail "it lists nothing"
"$tmp/whole" "$tmp/image" || fail "it writes no image"

# The shared library is found by its name where it was installed to.
build whole libdtx
LD_LIBRARY_PATH=$to/lib "$tmp/whole" >"$tmp/out" 2>&1
same 5 $? "status of the program with the shared library: $(cat "$tmp/out")"
readelf -d "$tmp/whole" | grep -q 'NEEDED.*libdtx\.so\.1\]' || fail "the program does not need libdtx.so.1"

libs libdtxrt | grep -q LLVM && fail "running images needs LLVM"
sed 's/"reads.img"/argv[1]/; s/main(void)/main(int argc, char **argv)/; s/return err/return argc != 2 || err/' <(example dtx-run.h) >"$tmp/runs.c"
build runs libdtxrt
same 'ran 7' "$("$tmp/runs" "$tmp/image" 2>&1)" "the example of dtx-run.h"

cat >"$tmp/looks.c" <<'C'
#include <dtx-run.h>
#include <string.h>

static void find(void *arg, const struct dtx_message *m)
{
	if (m->kind == DTX_FAILURE && strstr(m->text, "this is not an image"))
		*(int *)arg = 7;
}

int main(int argc, char **argv)
{
	struct dtx *d = dtx_open();
	int found = 0;

	dtx_on_message(d, find, &found);
	int err = argc == 2 ? dtx_image_inspect(d, argv[1], stdout) : -1;

	dtx_close(d);
	return found ? found : err ? 1 : 0;
}
C
build looks libdtxrt
"$tmp/looks" "$tmp/image" | grep -qE '^ +1 +dtrace +BEGIN$' || fail "inspecting shows no probe"
"$tmp/looks" "$tmp/looks.c" >"$tmp/out" 2>&1
same 7 $? "inspecting what is not an image"
[ ! -s "$tmp/out" ] || fail "the library prints: $(cat "$tmp/out")"

# --- the example of the documentation: what a command reads, as data -------------------------------------

cp "$to/share/doc/libdtx-dev/examples/embed.c" "$tmp/embed.c"
build embed libdtx
head -c 5000 /dev/zero >"$tmp/zeros"
same "opened $tmp/zeros
cat read 5000 bytes
1 reads of 4096 to 8191 bytes
1 files opened" "$(LC_ALL=C LD_LIBRARY_PATH=$to/lib "$tmp/embed" "cat $tmp/zeros" 2>&1 | tr -d '\0')" "embed.c"
[ "$(wc -l <"$tmp/embed.c")" -le 60 ] || fail "embed.c is long"

# --- symbols --------------------------------------------------------------------------------------------

# declared HEADER…: the functions of headers, without what comments and types say.
declared() { cat "$@" | sed -E 's,/\*.*,,; /^ \*/d; /^typedef/d' | grep -oE '\bdtx_[a-z_]+\(' | tr -d '(' | sort -u; }
# exported LIBRARY
exported() { nm -g --defined-only "$to/lib/$1" | awk 'NF == 3 { print $3 }' | sort -u; }
same "$(declared "$to"/include/dtx*.h)" "$(exported libdtx.a)" "symbols of libdtx.a"
same "$(declared "$to"/include/dtx*.h | sed 's/$/@@LIBDTX_1.0/')" \
	"$(nm -D --defined-only "$to/lib/libdtx.so" | awk '$2 == "T" { print $3 }' | sort -u)" "symbols of libdtx.so and their versions"
same "$(declared "$to"/include/dtx-*.h)" "$(exported libdtxrt.a)" "symbols of libdtxrt.a"

# --- dtx-run --------------------------------------------------------------------------------------------------

strip -o "$tmp/small" "$run"
size=$(stat -c %s "$tmp/small")
[ "$size" -le $((4 << 20)) ] || fail "dtx-run has $size bytes"
"$to/bin/dtx" --image "$tmp/counts" -qn 'syscall::getppid:entry { @[execname] = count(); } tick-10ms { exit(0); }'
# The ring buffer is in the figure twice: its pages are mapped two times.
peak=$("$t/measure" 1 "$run" -b 64k "$tmp/counts" | awk 'NF == 3 { print $3 }')
[ "${peak:-9999}" -le 5120 ] || fail "dtx-run takes $peak KB"
for given in "$tmp/image" "-r $tmp/image" "-q -x bufsize=64k $tmp/image"; do
	# shellcheck disable=SC2086 # words
	same 'ran 7' "$("$run" $given 2>&1)" "dtx-run $given"
done
"$run" "$tmp/image" >/dev/null 2>&1
same 5 $? "the exit status of the program"
"$run" -e "$tmp/image" || fail "dtx-run -e"
same "$("$to/bin/dtx" --inspect "$tmp/image")" "$("$run" --inspect "$tmp/image")" "inspecting with dtx and with dtx-run"
for given in "-n BEGIN" "-l" "--image $tmp/other" "-s $tmp/whole.c" "-C" "-c true"; do
	# shellcheck disable=SC2086 # words
	"$run" $given >"$tmp/out" 2>"$tmp/err"
	same 2 $? "status of dtx-run $given"
	grep -q '^dtx-run: .* needs the compiler: dtx-run runs compiled images; compile with dtx --image FILE$' "$tmp/err" ||
		fail "dtx-run $given says: $(cat "$tmp/err")"
done
echo 'BEGIN { exit(0); }' >"$tmp/script.d"
"$run" "$tmp/script.d" 2>&1 | grep -qF 'this is not an image: it is not an ELF object; programs are compiled into one with --image FILE' || fail "a script"
"$run" "$tmp/image" more 2>&1 | grep -q '^dtx-run: give one image' || fail "two operands"
exit 0
