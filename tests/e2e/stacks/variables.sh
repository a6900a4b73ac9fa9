#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# row: var.caller var.stackdepth var.ucaller opt.stackframes opt.ustackframes opt.jstackframes opt.stackindent opt.maxframes conv.k conv.A conv.a printa.keystack
#
# Stacks: stackdepth and caller say what stack() shows, ucaller and ustackdepth what ustack() shows; the options
# that limit and indent them; %k, %a, %A; a stack as a key.
. "$(dirname "$0")/../lib.sh"

frames() { grep -c '`\|0x' "$tmp/out"; }
kernel() { dtx -q "$@" -c true; }
# The caller is the second frame; the same text by %a and by stack().
kernel -n 'syscall::exit_group:entry /pid == $target/ { printf("%d\n%a", stackdepth, caller); stack(2); exit(0); }'
mapfile -t line <"$tmp/out"
same "${line[1]}" "${line[3]#              }" 'caller is not the second frame'
kernel -n 'syscall::exit_group:entry /pid == $target/ { printf("%d\n", stackdepth); stack(100); exit(0); }'
[ "$(head -n 1 "$tmp/out")" = "$(frames)" ] || fail "stackdepth is not the number of frames: $(cat "$tmp/out")"

kernel -n 'syscall::exit_group:entry /pid == $target/ { stack(); exit(0); }' -x stackframes=3
[ "$(frames)" = 3 ] || fail "stackframes: $(cat "$tmp/out")"
kernel -n 'syscall::exit_group:entry /pid == $target/ { stack(5); exit(0); }' -x maxframes=2
[ "$(frames)" = 2 ] || fail "maxframes: $(cat "$tmp/out")"
kernel -n 'syscall::exit_group:entry /pid == $target/ { stack(2); exit(0); }' -x stackindent=3
[ "$(grep -c '^   [^ ]' "$tmp/out")" = 2 ] || fail "stackindent: $(cat "$tmp/out")"
[ -z "$(head -n 1 "$tmp/out")" ] || fail 'a stack does not begin with an empty line'
kernel -n 'syscall::exit_group:entry /pid == $target/ { setopt("stackindent", "5"); stack(2); exit(0); }'
[ "$(grep -c '^     [^ ]' "$tmp/out")" = 2 ] || fail "setopt(stackindent): $(cat "$tmp/out")"

user() { dtx -q "$@" -c "$t/sleeper 1"; }
user -n 'pid$target:a.out:nap:return { printf("%d\n", ustackdepth); ustack(100); }'
[ "$(head -n 1 "$tmp/out")" = "$(frames)" ] || fail "ustackdepth is not the number of frames: $(cat "$tmp/out")"
user -n 'pid$target:a.out:nap:entry { printf("%A\n", ucaller); ustack(2); }'
mapfile -t line <"$tmp/out"
[[ ${line[0]} = 'sleeper`main+0x'* ]] || fail "ucaller: ${line[0]}"
[ "${line[2]}" = '              sleeper`nap' ] || fail "ustack: $(cat "$tmp/out")"
user -n 'pid$target:a.out:nap:entry { ustack(); }' -x ustackframes=1
same "
              sleeper\`nap
              [incomplete: more frames than option ustackframes or jstackframes allows]" "$(cat "$tmp/out")" 'ustackframes'
user -n 'pid$target:a.out:nap:entry { jstack(); }' -x jstackframes=1
same "
              sleeper\`nap
              [incomplete: more frames than option ustackframes or jstackframes allows]" "$(cat "$tmp/out")" 'jstackframes'

# %k: the width with - is the indentation, without pads each frame.
user -n 'pid$target:a.out:nap:entry { printf("[%k][%-4k][%20k]\n", ustack(1), ustack(1), ustack(1)); }'
same '[
sleeper`nap
][
    sleeper`nap
][
         sleeper`nap
]' "$(sed '/^$/d' "$tmp/out")" '%k'
user -n 'pid$target:a.out:nap:entry { printf("[%A][%20A][%-20A]\n", uaddr(arg0 ? uregs[R_PC] : 0), uaddr(uregs[R_PC]), uaddr(uregs[R_PC])); }'
same '[sleeper`nap][         sleeper`nap][sleeper`nap         ]' "$(grep . "$tmp/out")" '%A'
user -n 'pid$target:a.out:nap:entry { @[ustack(1)] = count(); } END { printa(@); }'
same '

              sleeper`nap
                1' "$(cat "$tmp/out")" 'a stack as a key'

# BEGIN is nowhere in the kernel.
dtx -q -n 'BEGIN { stack(); printf("%d %d", stackdepth, caller); @[stack()] = count(); exit(0); }'
same "
0 0

                1" "$(cat "$tmp/out")" 'the kernel stack of BEGIN'
