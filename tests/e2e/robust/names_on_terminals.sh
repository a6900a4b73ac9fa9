#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root gcc script python3
# where: native
# timeout: 150
# waits: for terminals
#
# A traced program chooses names of all 256 bytes: its own, files, functions, code made at run time. Whatever dtx prints of them
# on a terminal moves no cursor, sets no title and makes no line; what it writes to files as text is UTF-8.
# attack: comm and file names with all 256 bytes, in printf, trace, keys, tables | no control byte on the terminal, one line each
# attack: names of functions with all 256 bytes, in stacks, -l, -lv, probefunc, folded stacks | escaped everywhere
# attack: names in /tmp/perf-PID.map with all bytes, and one of 1 MB | escaped, none is printed whole
# attack: a process called </script>, =1+1, "}] and the like, in --report, --trace, csvdir, --stacks as svg, folded and pprof, --perfetto | well-formed files, one row each, no tag and no control byte of theirs
# attack: such names of hosts, mount points, folders, network interfaces and control groups, as strings, keys, bytes, members, JSON and CSV | escaped everywhere
# attack: such names of parameters, types, members, constants and source files in debugging information, in -lv, print(), keys, messages, -S | escaped everywhere
# attack: such names in messages, in a recording that is replayed, in what --live leaves | escaped
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/evil.c" <<'END'
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

void odd(void) __asm__("ODD_NAME");
__attribute__((noinline)) void odd(void) { getpgid(0); __asm__ volatile("" ::: "memory"); }
__attribute__((noinline)) void through(void (*f)(void)) { f(); __asm__ volatile("" ::: "memory"); }

int main(void)
{
	char all[270], map[64], *page, *wide;
	FILE *f;

	for (int i = 1; i < 256; i++)
		all[i - 1] = (char)i;
	strcpy(all + 255, "\nFAKE");
	page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memcpy(page, (void *)through, 256);
	snprintf(map, sizeof(map), "/tmp/perf-%d.map", getpid());
	f = fopen(map, "w");
	fprintf(f, "%lx 800 ", (long)page);
	for (int i = 1; i < 256; i++)
		if (i != '\n')
			putc(i, f);
	wide = malloc(1 << 20);
	memset(wide, 'w', 1 << 20);
	fwrite(wide, 1, 1 << 20, f);
	fputs("\n", f);
	fclose(f);
	prctl(PR_SET_NAME, "\n\033]0;x\007FAKE", 0, 0, 0);
	open(all, O_RDONLY);
	for (int at = 0; at < 255; at += 15) {
		char name[16] = { 0 };

		memcpy(name, all + at, 15);
		prctl(PR_SET_NAME, name, 0, 0, 0);
		open("chunk", O_RDONLY);
	}
	through(odd);
	((void (*)(void (*)(void)))page)(odd);
	usleep(500000);          /* its files are read while it lives */
	unlink(map);
	return 0;
}
END
name=$(printf 'A%.0s' {1..264})
sed -i "s/ODD_NAME/$name/" "$tmp/evil.c"
gcc -w -g -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -o "$tmp/plain" "$tmp/evil.c" || fail 'gcc'
python3 - "$tmp" "$name" <<'END'
import sys
d, name = open(sys.argv[1] + '/plain', 'rb').read(), sys.argv[2].encode()
assert name in d
odd = bytes(c for c in range(1, 256) if c != ord('@')) + b'\n  FAKE`f@'     # what follows @ is a version
open(sys.argv[1] + '/evil', 'wb').write(d.replace(name, odd[:264].ljust(264, b'z')))
END
chmod +x "$tmp/evil"

at='syscall::openat:entry /pid == $target/'
pgid='syscall::getpgid:entry /pid == $target/'

screen printf -qn "$at"' { printf("<%s> <%20s> <%S>\n", execname, copyinstr(arg1), copyinstr(arg1)); }' -c "$tmp/evil"
[ "$(grep -c '^<.*> <.*> <.*>.$' "$tmp/screen")" -ge 19 ] || fail "a record of printf is not one line: $(cat "$tmp/screen")"
screen trace -qn "$at"' { trace(copyinstr(arg1)); trace(execname); }' -c "$tmp/evil"
screen columns -n "$at"' { trace(execname); printf("%c%c", 27, 0x9b); }' -c "$tmp/evil"
screen keys -qn "$at"' { @[execname, copyinstr(arg1)] = count(); @p[copyinstr(arg1)] = count(); } END { printa("<%s> %@d>\n", @p); }' -c "$tmp/evil"
screen aggpack -q -x aggpack -n "$at"' { @[execname] = quantize(1); }' -c "$tmp/evil"
screen stacks -qn "$pgid"' { @[ustack()] = count(); ustack(); printf("%k", ustack()); @u[usym(ucaller)] = count(); usym(ucaller); }' -c "$tmp/evil"
grep -q 'x1b' "$tmp/screen" || fail 'stacks: the names are missing'
screen list -ln "uprobe:$tmp/evil:*:entry"
grep -q 'x1b' "$tmp/screen" || fail '-l: the name is missing'
screen details -lvn "uprobe:$tmp/evil:*:entry"
screen flow -Fn "uprobe:$tmp/evil:*FAKE*:entry { trace(probefunc); printf(\"%s\", probefunc); @[probefunc] = count(); }" -c "$tmp/evil"
screen json -q --format json -n "$at"' { trace(execname); } '"$pgid"' { @[ustack(), execname] = count(); }' -c "$tmp/evil"
screen csv -q --format csv -n "$at"' { trace(execname); } '"$pgid"' { @[ustack(), execname] = count(); }' -c "$tmp/evil"

odd=$tmp/$'odd\n FAKE\e]0;x\a'
cp "$tmp/plain" "$odd"
screen message -n 'uprobe:'"$odd"':none:entry { }'

dtx -q --record "$tmp/rec" --stacks folded="$tmp/folded" --format csv -n "$at"' { trace(copyinstr(arg1)); printf("%s\n", execname); } '"$pgid"' { @[ustack(), execname] = count(); }' \
	-c "$tmp/evil"
python3 -c "import sys; [open(f, encoding='utf-8').read() for f in sys.argv[1:]]" "$tmp/folded" "$tmp/out" || fail 'a file is no UTF-8'
harmless folded "$tmp/folded"
screen replay -q --replay "$tmp/rec" --format text
screen replay_csv -q --replay "$tmp/rec" --format csv

# To a file, and with -x raw, printf() writes what was recorded.
dtx -qn "$at"' { printf("%s", copyinstr(arg1)); }' -c "$tmp/evil"
grep -qa $'\e' "$tmp/out" || fail 'printf() to a file changed a text'
printf '%q ' "$DTX" -q -x raw -n "$at"' { printf("%s", copyinstr(arg1)); }' -c "$tmp/evil" >"$tmp/sh"
script -qec "bash $tmp/sh" "$tmp/typescript" </dev/null >/dev/null 2>&1
grep -qa $'\e' "$tmp/typescript" || fail '-x raw changed a text'

# Files of other formats are well-formed, and each name is one value.
gcc -w -O1 -fno-omit-frame-pointer -x c -o "$tmp/names" - <<'END' || fail 'gcc'
#include <sys/prctl.h>
#include <unistd.h>
int main(void)
{
	static const char *const names[] = { "\n\033]0;x\007FAKE", "</script><b>", "\"}],\"x\":[{\"", "a\",b\n=cmd|'x'",
		"{\"l\"} 1\n# x", "a;b c;d", "\xff\xfe\xe2\x80\xae", "=1+1", "graph{\"];x" };
	for (int i = 0; i < 9; i++) {
		prctl(PR_SET_NAME, names[i]);
		getpgid(7777);
	}
	return 0;
}
END
mkdir "$tmp/csv"
dtx -q --report "$tmp/report" --trace "$tmp/trace" --stacks svg="$tmp/svg" -x csvdir="$tmp/csv" -n "$pgid"' { trace(execname); printf("%s\n", execname);
	@a[execname] = count(); @s[execname, ustack()] = count(); @q[execname] = quantize(1); }' -c "$tmp/names"
dtx -q --stacks pprof="$tmp/pprof" --perfetto "$tmp/perfetto" -n "$pgid"' { trace(execname); printf("%s\n", execname); @s[execname, ustack()] = count(); }' -c "$tmp/names"
python3 - "$tmp" <<'END' || fail 'a file is not as it should be'
import csv, glob, gzip, json, re, sys
import xml.dom.minidom
read = lambda name: open(sys.argv[1] + '/' + name, encoding='utf-8', newline='').read()
control = re.compile('[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]')
json.loads(read('trace'))
xml.dom.minidom.parseString(read('svg').encode())
for name in 'pprof', 'perfetto':
    data = open(sys.argv[1] + '/' + name, 'rb').read()
    data = gzip.decompress(data) if data[:2] == b'\x1f\x8b' else data
    assert data.count(b'FAKE') and b'\x1b]' not in data and b'\xff\xfe' not in data and b'\n\\x1b' not in data, name
for name in 'trace', 'svg', 'report':
    assert not control.search(read(name)), name
page = read('report')
assert page.count('<script') == page.count('</script>') and '<b>' not in page
for name, rows, columns in ('agg-a', 9, 3), ('agg-s', 9, 4), ('clause-1', 9, 6):
    table = list(csv.reader(read(f'csv/{name}.csv').splitlines(True)))
    assert len(table) == rows + 1 and {len(row) for row in table} == {columns}, (name, table)
END

# What surrounds a process has names, too.
gcc -w -O1 -x c -o "$tmp/places" - <<'END' || fail 'gcc'
#define _GNU_SOURCE
#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
static const char odd[] = "e\n  FAKE\033]0;x\007\xe2\x80\xae<b>\"\x9b";
int main(int n, char **args)
{
	struct ifreq lo = { .ifr_name = "lo" };
	unsigned char to[16] = { 2, 0, 0x30, 0x39, 127, 0, 0, 1 };
	int s = socket(2, 2, 0), fd;

	unshare(CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWNET);
	mount("none", "/", 0, MS_REC | MS_PRIVATE, 0);
	sethostname(odd, sizeof(odd) - 1);
	chdir(args[1]);
	mkdir(odd, 0755);
	mount(odd, odd, "tmpfs", 0, 0);
	chdir(odd);
	fd = open(odd, O_CREAT | O_RDWR, 0600);
	s = socket(2, 2, 0);
	strcpy(lo.ifr_newname, "e\033]0;<b>\xe2\x80\xae");
	ioctl(s, SIOCSIFNAME, &lo);
	strcpy(lo.ifr_name, lo.ifr_newname);
	lo.ifr_flags = IFF_UP;
	ioctl(s, SIOCSIFFLAGS, &lo);
	write(fd, "x", 1);
	getpgid(7777);
	bind(s, (void *)to, 16);
	sendto(s, "x", 1, 0, (void *)to, 16);
	return 0;
}
END
cat >"$tmp/places.d" <<'END'
syscall::write:entry /pid == $target/ { printf("%s|%s|%s\n", fds[arg0].fi_pathname, fds[arg0].fi_dirname, fds[arg0].fi_fs); trace(fds[arg0].fi_name);
	@f[fds[arg0].fi_pathname, cwd] = count(); trace(cwd); trace(curpsinfo->pr_psargs); }
ip:::send /pid == $target/ { printf("%s\n", args[3]->if_name); trace(args[3]->if_name); @i[args[3]->if_name] = count(); }
syscall::getpgid:entry /pid == $target/ { this->u = &curthread->nsproxy->uts_ns->name; printf("host %s\n", this->u->nodename); trace(this->u->nodename);
	print(this->u); @u[this->u->nodename] = count(); trace(*this->u); }
END
group=
for at in /sys/fs/cgroup/unified /sys/fs/cgroup; do
	odd=$at/$'dtx\e]0;x\a\u202e'$$
	[ -n "$group" ] || [ ! -e "$at/cgroup.subtree_control" ] || ! mkdir "$odd" 2>/dev/null || group=$odd
done
[ -z "$group" ] || trap 'rmdir "$group"; rm -rf "$tmp"' EXIT
for format in text json csv; do
	screen "places as $format" -q --format $format -s "$tmp/places.d" -c "$tmp/places $tmp"
	[ "$(grep -c 'x1b\|u001b\|1b5d' "$tmp/screen")" -ge 3 ] || fail "$format: names are missing: $(cat "$tmp/screen")"
done
[ -z "$group" ] || screen group -v --cgroup "$group" -n 'BEGIN { exit(0); }'
screen 'no group' --cgroup "${group:-/sys/fs/cgroup/x$'\e'}-none" -n 'BEGIN { exit(0); }'

# And what debugging information names.
words=(); for letter in T M E C F P S; do words+=("$(printf "$letter%.0s" {1..30})"); done
read -r T M E C F P S <<<"${words[*]}"
cat >"$tmp/named.c" <<END
#line 1 "$S.c"
#include <unistd.h>
struct $T { int a; int $M; };
enum $E { one, $C = 7 };
int $F(struct $T *$P, enum $E e) { getpgid(0); return $P->a + e; }
int main(void) { struct $T x = { 1, 2 }; return $F(&x, $C) == 0; }
END
gcc -w -g -O0 -o "$tmp/named" "$tmp/named.c" || fail 'gcc'
python3 - "$tmp/named" "${words[@]}" <<'END'
import sys
data = open(sys.argv[1], 'rb').read()
for word in sys.argv[2:]:
    data = data.replace(word.encode(), b'e\n  FAKE`f\x1b]0;x\x07\xe2\x80\xae<b>\x9b"zzzzzzz'[:30].ljust(30, b'z'))
open(sys.argv[1], 'wb').write(data)
END
probe="uprobe:$tmp/named:*FAKE*:entry"
screen 'named, -lv' -lvn "uprobe:$tmp/named:*FAKE*:"
screen 'named, values' -qn "$probe"' { print(args[0]); trace(args[1]); printf("%d %s\n", args[1], probefunc); @[args[1], probefunc] = count(); }' -c "$tmp/named"
grep -q 'zzz = (int)2' "$tmp/screen" || fail "no member: $(cat "$tmp/screen")"
screen 'named, messages' -n "$probe"' { trace(args[0]->none); trace(args.x); }'
screen 'named, -S' -S typed,plan -n "$probe"' { trace(args[0]->a); }'
