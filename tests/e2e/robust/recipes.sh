#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root clang-19 bison flex curl
# where: native
# beside: it compiles and starts programs for a minute or more
# timeout: 400
#
# The recipes of docs/architecture.md ("To add something"), followed in a copy of the tree (tests/recipes): files
# added, rows at the end of tables, nothing else. What was added is built and used.
. "$(dirname "$0")/../lib.sh"
plain 'it builds dtx once more'
[ -f "$(dirname "$DTX")/ready" ] || skip 'dtx was not built here'

tree=$tmp/tree log=$tmp/log
mkdir -p "$tree/build"
# The tree without .git and build/, and what build/ has of dtx itself.
cp -a Makefile base bpf cmd compiler grammar include packaging runtime "$tree"
mkdir "$tree/docs" && cp -a docs/man "$tree/docs"
for rules in tests/rules.mk tests/*/rules.mk; do mkdir -p "$tree/${rules%/*}" && cp -a "$rules" "$tree/$rules"; done
for made in base bpf cmd compiler grammar runtime ready flags; do
	cp -a "$(dirname "$DTX")/$made" "$tree/build" || fail "no $made"
done
tests/recipes/apply "$tree" || fail 'the recipes'
MAKEFLAGS='' MAKELEVEL=0 make -C "$tree" -s build/dtx >"$log" 2>&1 || { tail -20 "$log" >&2; fail 'it does not build'; }
grep -n 'warning:' "$log" >&2 && fail 'the compiler warns'

# An architecture: its folder alone, the D library with its part, and what bpf/ takes of it.
mapfile -t of_arch < <(cd "$tree" && ls base/arch/kitchen/*.c)
of_arch=("${of_arch[@]/%.c/.o}" compiler/embed.o bpf/stack/unwind.bc bpf/guard.bc runtime/unwind/codeflow.o)
MAKEFLAGS='' MAKELEVEL=0 make -C "$tree" -s CFLAGS=-O0 ARCH=kitchen cross= build=build/kitchen "${of_arch[@]/#/build/kitchen/}" >"$log" 2>&1 ||
	{ tail -20 "$log" >&2; fail 'the architecture does not compile'; }
grep -n 'warning:' "$log" >&2 && fail 'the compiler warns of the architecture'

DTX=$tree/build/dtx
prints() { # TEXT ARG…: what dtx prints
	local want=$1
	shift
	dtx -q "$@"
	same "$want" "$(sed '/^$/d; s/^ *//; s/ *$//' "$tmp/out")" "$*"
}
refuses() { # TEXT ARG…
	local want=$1
	shift
	"$DTX" "$@" >"$tmp/out" 2>"$tmp/err" && fail "accepted: $*"
	grep -qF -- "$want" "$tmp/err" || fail "$*: $(cat "$tmp/err")"
}
# A variable and a subroutine.
prints 42 -n 'BEGIN { trace(salt); exit(0); }'
prints 42 -n 'BEGIN { trace(twice(21)); exit(0); }'
prints '42 leaves' -n 'BEGIN { printf("%d %s\n", pepper(40), basil); exit(0); }'

# An aggregating function with a constant and a new way to merge, also from an image, and its diagnostic.
bits='BEGIN { @ = bits(3, 4); @ = bits(9, 4); exit(0); }'
prints 0xb0 -n "$bits"
prints '1             0x90' -n 'BEGIN { @[1] = bits(8, 4); @[1] = bits(1, 4); exit(0); }'
prints '176' -n "${bits/exit(0)/printa(\"%@d\", @); exit(0)} END { clear(@); trunc(@); }"
dtx -q --image "$tmp/image" -n "$bits"
prints 0xb0 -r "$tmp/image"
refuses 'the shift must be between 0 and 31, not 99 [D_KITCHEN]' -n 'BEGIN { @ = bits(3, 99); }'
refuses 'lquantize, llquantize, bits and tally are' -n 'BEGIN { @ = strlen("x"); }'

# One that adds: its column makes it a counter for Prometheus.
prints 7 -n 'BEGIN { @ = tally(-3); @ = tally(4); exit(0); }'
"$DTX" -q --serve "$tmp/socket" -n 'BEGIN { @t = tally(-3); @t = tally(4); }' >"$tmp/out" 2>"$tmp/err" &
server=$!
scraped() {
	curl -s --max-time 5 --unix-socket "$tmp/socket" http://localhost/metrics >"$tmp/metrics"
	grep -q '^dtx_t' "$tmp/metrics"
}
until_true 10 scraped
kill -TERM $server
wait $server
grep -qx '# TYPE dtx_t_total counter' "$tmp/metrics" || fail "a total is no counter: $(grep dtx_t "$tmp/metrics" "$tmp/err")"

# A kind of program, which the provider below takes. A provider, and a stable probe of another new one.
prints 42 -n 'kitchen:::order /pid == $target && arg1 == 110/ { trace(42); exit(0); }' -c "$t/syscalls"
# An argument in a new kind of place.
prints 42 -n 'kitchen:::order /pid == $target && arg1 == 110/ { trace(arg2); exit(0); }' -c "$t/syscalls"
"$DTX" -eS plan -n 'kitchen:::order { trace(arg2); }' >"$tmp/plan" || fail 'no plan'
grep -q kitchen "$tmp/plan" || fail "$(cat "$tmp/plan")"
prints 42 -n 'pantry:::open /pid == $target/ { trace(args[0]); exit(0); }' -c "$t/syscalls"
dtx -lP kitchen
grep -q '3000000 *kitchen *order' "$tmp/out" || fail 'the provider is not listed'

# A format, which the option of another row changes; an ability of the kernel.
prints $'> 42\n> 4' -x format=kitchen -x spoon='> ' -n 'BEGIN { trace(salt); @ = bits(1, 2); exit(0); }'
refuses ' or kitchen' -x format=xml -n 'BEGIN { exit(0); }'
dtx --features
grep -q '^kitchen *yes' "$tmp/out" || fail 'the ability is not listed'

# An action, and a conversion of printf.
prints 42 -n 'BEGIN { sprinkle("%d\n", 42); exit(0); }'
prints '*' -n 'BEGIN { printf("%K\n", 42); exit(0); }'
refuses '%K' -n 'BEGIN { printf("%K\n", "x"); }'

# A step to a variable.
prints 42 -n 'kitchen:::order /pid == $target && arg1 == 110/ { trace(arg3); exit(0); }' -c "$t/syscalls"
grep -q half <("$DTX" -eS plan -n 'kitchen:::order { trace(arg3); }') || fail 'the step has no word'

# A member of a stable type that cannot be filled.
prints 42 -n 'pantry:::shut /pid == $target/ { trace(args[0]->k_number); exit(0); }' -c "$t/syscalls"
"$DTX" -en 'pantry:::shut { trace(args[0]->k_sink); }' 2>"$tmp/err" || fail "$(cat "$tmp/err")"
grep -q "'k_sink' is not available here: this kitchen has no sink" "$tmp/err" || fail "$(cat "$tmp/err")"

# A type of script options; an option of the command.
printf '#!/usr/bin/dtx -qs\n#pragma D param many,m spoons 2 "how many"\nBEGIN { trace($many); exit(0); }\n' >"$tmp/spoons.d"
prints 2 -s "$tmp/spoons.d"
prints 5 -s "$tmp/spoons.d" --many 5
grep -q -- '--many SPOONS' <("$DTX" -s "$tmp/spoons.d" --help) || fail 'the type has no word in --help'
prints $'~ 42' -x format=kitchen --spoon-of '~ ' -n 'BEGIN { trace(salt); exit(0); }'
grep -q -- '--spoon-of TEXT' <("$DTX" --help) || fail 'the option is not in --help'

# A page of the manual; a name of another system.
dtx --help kitchen
grep -q 'added by a recipe' "$tmp/out" || fail "no page: $(cat "$tmp/out")"
refuses 'has no sink' -n 'BEGIN { trace(`kitchen_sink); }'

# A file of a machine: the provider asks for it, and finds it in a description.
dtx --describe "$tmp/machine"
dtx -x "machine=$tmp/machine" -lP kitchen
grep -q 'kitchen *order' "$tmp/out" || fail "not in the description: $(cat "$tmp/out")"

# Names of bpftrace: said in D, or told; a construct of it. A probe and a function of SystemTap.
prints 42 -n 'BEGIN { trace(stove); exit(0); }'
prints 42 -n 'BEGIN { trace(dill); exit(0); }'
prints SIGKILL -n 'BEGIN { printf("%s\n", dish_name(9)); exit(0); }'
refuses 'salt, which is stirred' -n 'BEGIN { trace(whisk); }'
refuses 'a kitchen needs no word for it' -n 'BEGIN { simmer (2) { trace(1); } }'
refuses 'in D this is: BEGIN { this->x = 1; printf("%s", $$1); }' -n 'BEGIN { $x = 1; printf("%s", sip($1)); }' 7
refuses 'in D this is: kitchen:::order { printf("%d", salt); exit(0); }' \
	-n 'probe kitchen.order("order") { printf("%d", salt_of_kitchen()) exit() }'
