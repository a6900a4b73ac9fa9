#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# What a coroutine of C++ does after its call is in functions of their own: they are not calls of it.
# needs: uprobes g++
# truth: C++20 coroutine | calls, and its parameter | the program's own calls
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/co.cc" <<'C'
#include <coroutine>
struct gen {
	struct promise_type {
		int v = 0;
		gen get_return_object() { return { std::coroutine_handle<promise_type>::from_promise(*this) }; }
		std::suspend_always initial_suspend() noexcept { return {}; }
		std::suspend_always final_suspend() noexcept { return {}; }
		std::suspend_always yield_value(int n) { v = n; return {}; }
		void return_void() {}
		void unhandled_exception() {}
	};
	std::coroutine_handle<promise_type> h;
};
__attribute__((noinline)) gen numbers(int from) { for (int i = 0; i < 4; i++) co_yield from + i; }
int main() { int s = 0; for (int k = 1; k <= 3; k++) { gen g = numbers(k); while (g.h.resume(), !g.h.done()) s += g.h.promise().v; g.h.destroy(); } return !s; }
C
for how in "g++ -O0" "g++ -O2" "clang++ -O2"; do
	command -v "${how% *}" >/dev/null || continue
	$how -std=c++20 -g -o "$tmp/co" "$tmp/co.cc" 2>"$tmp/err" || { [ "${how%% *}" = clang++ ] && continue; fail "$how"; }
	for p in "uprobe:$tmp/co:numbers:entry" 'pid$target:a.out:numbers:entry' 'pid$target:a.out:numbers*:entry'; do
		case $how,$p in clang*,*'*'*) continue ;; esac
		dtx -qn "$p"' { printf("from %d\n", args.from); n++; } END { printf("calls %d\n", n); }' -c "$tmp/co"
		same $'from 1\nfrom 2\nfrom 3\ncalls 3' "$(grep . "$tmp/out")" "$how, $p"
	done
done
exit 0
