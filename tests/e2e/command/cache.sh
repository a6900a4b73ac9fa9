#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# A program that was compiled before starts from the user's cache folder, and nothing else about its run changes. Each part of what it
# depends on is changed once: then it is compiled again. A folder or an entry that others could have written is not used.
# where: native
# timeout: 240
# needs: gcc objcopy unshare
# shellcheck disable=SC2086 # options of the compiler are words
# truth: programs kept from earlier runs | every path that the compilation looked at is proved, or is in the key | system calls of dtx, traced by dtx
# truth: programs kept from earlier runs | the file at its path was replaced: which function fires | the program's own output
# attack: an entry of the cache cut short, altered, a symbolic link, or writable by others | the program is compiled again
. "$(dirname "$0")/../lib.sh"
plain 'a kept program is compared with a compiled one'
export XDG_CACHE_HOME=$tmp/cache HOME=$tmp/home
folder=$XDG_CACHE_HOME/dtx
mkdir "$HOME"

entries() { find "$folder" -name 'program-*' 2>/dev/null | wc -l; }
numbers() { find "$folder" -name 'program-*' -printf '%i %p\n' 2>/dev/null | sort; }
# how ARG…: runs dtx and says what the folder was good for: used, kept (a new entry) or none.
how() {
	local before used
	find "$folder" -type f -exec touch -d 2001-01-01 {} + 2>/dev/null
	before=$(numbers)
	timeout 60 taskset -c 0 "${as[@]}" "$DTX" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null || echo "status $?" >>"$tmp/err"
	used=$(find "$folder" -type f -name 'program-*' -newermt 2002-01-01 2>/dev/null)
	if [ "$(numbers)" != "$before" ]; then echo kept; elif [ -n "$used" ]; then echo used; else echo none; fi
}
as=()
# is WHAT ARG…: so it is, and when it is used the same is said as without the cache.
is() {
	local want=$1 got
	shift
	got=$(how "$@")
	[ "$got" = "$want" ] || fail "$want was expected, not $got: $* ($(cat "$tmp/err"))"
	[ "$got" = used ] || return 0
	mv "$tmp/out" "$tmp/out.is"
	mv "$tmp/err" "$tmp/err.is"
	timeout 60 taskset -c 0 "${as[@]}" "$DTX" -x cache=off "$@" >"$tmp/out" 2>"$tmp/err" </dev/null || echo "status $?" >>"$tmp/err"
	cmp -s "$tmp/out" "$tmp/out.is" && cmp -s "$tmp/err" "$tmp/err.is" ||
		fail "with the cache: $* says $(cat "$tmp/out.is" "$tmp/err.is"), without: $(cat "$tmp/out" "$tmp/err")"
}

# ---- the program, its options and operands
p='BEGIN { printf("%s %d %s\n", "strings of this length", $1, probename); exit(0) }'
is kept -n "$p" 1
is used -n "$p" 1
is used -n "$p" 1
is kept -qn "$p" 1
is kept -n "$p" 2
is kept -n "$p " 1
is kept -x strsize=90 -n "$p" 1
DTX_OPT_STRSIZE=90 is kept -n 'BEGIN { trace("strings of this length"); exit(0) }'
is kept -n 'BEGIN { trace("strings of this length"); exit(0) }'
is kept -vn "$p" 1
is used -evn "$p" 1
cat >"$tmp/s.d" <<'D'
#pragma D option quiet
#pragma D option strsize=70
#pragma D param times int 3 "how often"
BEGIN { printf("%s %d %s\n", "cut here", $times, $$1); i = 0; }
BEGIN { @[i] = count(); printa(@); exit(4) }
D
is kept -s "$tmp/s.d" word
is used -s "$tmp/s.d" word
is kept -s "$tmp/s.d" --times 5 word
is used -s "$tmp/s.d" --times 5 word
sed -i 's/cut/put/' "$tmp/s.d"
is kept -s "$tmp/s.d" word
is kept -n 'syscall::getppid:entry { trace(1); } BEGIN { x = *(int *)arg0; } ERROR { exit(1); }'
is used -n 'syscall::getppid:entry { trace(1); } BEGIN { x = *(int *)arg0; } ERROR { exit(1); }'

# ---- what is of one run, has something to say, or is asked for its code
n=$(entries)
is none -n 'BEGIN { printf("%d", $pid > 0); exit(0) }'
is none -qn 'BEGIN { trace(1); exit(0) }' -c true
is none -n 'BEGIN { trace(undefined_name); }'
is none -x core -n 'BEGIN { exit(0) }'
is none -n 'BEGIN { system("true"); exit(0) }'
is kept -wn 'BEGIN { system("echo from a command"); exit(0) }'
is used -wn 'BEGIN { system("echo from a command"); exit(0) }'
is none -n 'BEGIN { system("echo from a command"); exit(0) }'
is none -x cache=off -n "$p" 1
is none -eS -n "$p" 1
is none -en "$p" 1 -x machine=none
is none --image "$tmp/image" -n "$p" 1

# ---- the program that runs it, its rights, where it looks
cp "$DTX" "$tmp/dtx"
DTX=$tmp/dtx is kept -n "$p" 1
PATH=$PATH:/nowhere is kept -n "$p" 1
as=(setpriv --bounding-set -sys_nice --inh-caps -sys_nice)
is kept -n "$p" 1
as=(unshare -m)
is kept -n "$p" 1
as=()
is used -n "$p" 1

# ---- the programs it probes
build() {
	printf 'int said(int n) { return n %s; }\nint main(void) { return said(1); }\n' "$1" >"$tmp/x.c"
	gcc -O0 -g $GUARDED -rdynamic -o "$tmp/x.new" "$tmp/x.c" || fail 'it cannot be compiled'
	objcopy --only-keep-debug "$tmp/x.new" "$tmp/new/x.debug"
	objcopy --strip-all --add-gnu-debuglink="$tmp/new/x.debug" "$tmp/x.new" # it is not where it is looked for
	mv "$tmp/x.new" "$tmp/x"
}
mkdir "$tmp/new"
probe='uprobe:'$tmp'/x:said:entry { self->n = arg0; } uprobe:'$tmp'/x:said:return { printf("%d %d\n", self->n, arg1); exit(0); }'
# A file that was changed just now is looked at again: its dates have a grain.
settled() { [ "$(how -en "$probe")" = used ]; }
build '+ 1'
awaits settled
build '* 70 + 7 - n / 3 + n * 2'
[ "$(how -en "$probe")" != used ] || fail 'the program that was replaced is probed as before'
awaits settled
timeout 60 "$DTX" -qn "$probe" >"$tmp/out" 2>"$tmp/err" &
traced=$!
until [ -s "$tmp/out" ]; do "$tmp/x"; kill -0 $traced 2>/dev/null || break; done
wait $traced
grep -qx '1 79' "$tmp/out" || fail "the new program returns 79 for 1: $(cat "$tmp/out" "$tmp/err")"
mkdir "$tmp/.debug"
mv "$tmp/new/x.debug" "$tmp/.debug/x.debug"
[ "$(how -en "$probe")" != used ] || fail 'debugging information that is new is not looked at'
is none -en "uprobe:$tmp/x*:main:entry { trace(1); }"

# ---- all that a compilation opens or asks about is proved, or is of the machine (machine.def) and so in the key
# Not the words of the command line, whose way is looked at for mounts (RESOLVE_NO_XDEV, 1, is the third field).
watch='syscall::openat2:entry /pid == $target && !(*(uint64_t *)copyin(arg2 + 16, 8) & 1)/ { self->path = arg1; }
syscall::openat:entry, syscall::newfstatat:entry, syscall::faccessat:entry, syscall::faccessat2:entry,
syscall::readlinkat:entry, syscall::statx:entry /pid == $target/ { self->path = arg1; }
syscall::openat:return, syscall::openat2:return, syscall::newfstatat:return, syscall::faccessat:return, syscall::faccessat2:return,
syscall::readlinkat:return, syscall::statx:return /self->path/ { printf("%s\n", copyinstr(self->path)); self->path = 0; }
syscall::open:entry, syscall::stat:entry, syscall::access:entry, syscall::readlink:entry /pid == $target/ { self->old = arg0; }
syscall::open:return, syscall::stat:return, syscall::access:return, syscall::readlink:return
/self->old/ { printf("%s\n", copyinstr(self->old)); self->old = 0; }'
# Of the process itself, before it compiles; what stays for a boot; and of loading, which each run does.
own='^$|^/etc/ld\.so\.|^/lib.*/lib[a-z_]*\.so\.[0-9]+$|^/dev/null$|^/proc/self/(exe|timens_offsets|fd/[0-9]+|ns/[a-z]+|cgroup|mounts|mountinfo|statm)$|^/etc/dtx/run\.conf$'
own+='|^/proc/version_signature$|^/sys/devices/system/cpu/(possible|online)$|^/sys/fs/cgroup/|^\.\.?$|^dtx$|^(program|new)-[0-9a-f-]+$|^/sys/module/[^/]*$'
own+='|^/proc(/self|/[0-9]+(/fd(/[0-9]+)?)?)?$|^/sys/bus/event_source/devices/[a-z]+/type$'
own+="|^/proc/sys/kernel/kptr_restrict$|^$XDG_CACHE_HOME|^$tmp/?$|^cache$|^/sys/kernel/debug/"
# parents: each path, and the folders that lead to it
parents() { while read -r path; do while [ -n "$path" ]; do echo "$path"; path=${path%/*}; done; done | sort -u; }
sed -nE 's/^MACHINE\([A-Z_]+, *"([^"]*)".*/\1/p' include/dtx/tables/machine.def | sed 's,/*$,,' | parents | sed 's,\*,[^/]*,g' >"$tmp/rows"
# proved PROGRAM: each path that is looked at while it is compiled
proved() {
	local path
	find "$folder" -type f -delete
	timeout 120 "$DTX" -x cache=off -x switchrate=10ms -qn "$watch" -c "$DTX -en '$1'" >"$tmp/paths" 2>"$tmp/err" || fail "$1: $(cat "$tmp/err")"
	[ "$(entries)" = 1 ] || fail "it is not kept: $1"
	[ "$(wc -l <"$tmp/paths")" -gt 20 ] || fail "too little was seen of it: $1"
	grep -ahoE '^file .*' "$folder"/program-* | cut -d' ' -f8- | parents >"$tmp/proof"
	sort -u "$tmp/paths" | grep -vE "$own" | grep -vxF -f "$tmp/proof" | grep -vxE -f "$tmp/rows" >"$tmp/open"
	[ ! -s "$tmp/open" ] || fail "$1: nothing proves $(cat "$tmp/open")"
}
proved 'uprobe:libc.so.6:malloc:entry { @[ustack()] = quantize(arg0); }'
proved "uprobe:$tmp/x:said:return { trace(arg1); }" # at an entry it is asked where other tools have probes, in any file
proved 'tracepoint:sched:sched_switch { @[args->next_comm, stack()] = count(); }'
proved 'syscall:::entry { @[probefunc, curpsinfo->pr_psargs] = count(); }'

# ---- the kernel's events
made=/sys/kernel/tracing/dynamic_events
if [ -w $made ] && echo "p:dtxcache/made $tmp/x:0x1000" >>$made 2>/dev/null; then
	got=$(how -n "$p" 1)
	echo -:dtxcache/made >>$made
	[ "$got" = kept ] || fail "an event was made, and the program kept before is $got"
fi
is kept -n "$p" 1

# ---- who may write to it
safe() { is used -n "$p" 1; }
refused_folder() { [ "$(how -n "$p" 1)" = none ] || fail "$1: it is used"; }
chmod 0777 "$folder"; refused_folder 'a folder that others may write to'; chmod 0700 "$folder"
safe
chmod 0775 "$XDG_CACHE_HOME"; refused_folder 'a folder above it that others may write to'; chmod 0700 "$XDG_CACHE_HOME"
if chown 65534 "$folder" 2>/dev/null; then
	refused_folder 'the folder of another user'
	chown 0 "$folder"
	chown 65534 "$XDG_CACHE_HOME"; refused_folder 'a folder in that of another user'; chown 0 "$XDG_CACHE_HOME"
	chown 65534 "$HOME"
	XDG_CACHE_HOME='' refused_folder 'the home of another user'
	[ ! -e "$HOME/.cache" ] || fail 'a folder was made in the home of another user'
fi
mv "$folder" "$folder.there"
ln -s "$folder.there" "$folder"; refused_folder 'a symbolic link'; rm "$folder"
mv "$folder.there" "$folder"
safe
of=$(find "$folder" -type f -name 'program-*' -newermt 2002-01-01)
[ -f "$of" ] || fail 'which entry is it?'
renewed() { is kept -n "$p" 1; safe; }
chmod 0666 "$of"; renewed
mv "$of" "$tmp/entry"; ln -s "$tmp/entry" "$of"; renewed
[ ! -L "$of" ] || fail 'the link is still there'
truncate -s -1 "$of"; renewed
: >"$of"; renewed
printf x | dd of="$of" bs=1 seek=$(($(stat -c %s "$of") / 2)) conv=notrunc status=none; renewed
rm "$of"; mkdir "$of"
is none -n "$p" 1
rmdir "$of"

# ---- many at once, no room, too many
pids=()
for i in 1 2 3 4 5 6; do timeout 60 "$DTX" -qn 'BEGIN { trace("all the same"); exit(0) }' >"$tmp/many.$i" & pids+=($!); done
wait "${pids[@]}"
[ "$(sort -u "$tmp"/many.* | grep -c .)" = 1 ] || fail "they differ: $(cat "$tmp"/many.*)"
[ -z "$(find "$folder" -name 'new-*')" ] || fail 'one left what it wrote'
is used -qn 'BEGIN { trace("all the same"); exit(0) }'
(ulimit -f 1; is none -n 'BEGIN { trace("no file is that large"); exit(0) }')
unshare -m bash -c 'mount -t tmpfs -o size=4k,mode=700 none "$1" && shift && "$@"' - "$XDG_CACHE_HOME" \
	"$DTX" -qn 'BEGIN { trace("no room"); exit(0) }' >"$tmp/out" 2>"$tmp/err" || fail "$(cat "$tmp/err")"
[ "$(cat "$tmp/out")$(cat "$tmp/err")" = 'no room' ] || fail "a full disk: $(cat "$tmp/out" "$tmp/err")"
for ((i = 1000; i < 1300; i++)); do : >"$folder/program-000000000000$i"; done
touch -d 2000-01-01 "$folder/program-0000000000001299"
: >"$folder/not an entry"
dtx -n "$p" 9
[ "$(entries)" -le 256 ] || fail "$(entries) entries"
[ ! -e "$folder/program-0000000000001299" ] || fail 'the oldest is still there'
[ -e "$folder/not an entry" ] || fail 'what is no entry was removed'
is used -n "$p" 9
