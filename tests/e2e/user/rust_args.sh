#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Parameters and results of Rust's functions, whose convention is Rust's own: strings, vectors, (), pairs, enumerations,
# closures and large results take none, one or two registers, or memory.
# needs: uprobes rustc
# beside: it compiles and starts programs, and waits for no clock
# truth: arguments, Rust | k behind a String, Vec, (), Result, pair, closure, at each level of optimisation | the program's own calls
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/ra.rs" <<'R'
use std::hint::black_box as seen;
pub struct Pair { a: u32, b: u32 }
pub struct Three { a: u64, b: u64, c: u64 }
macro_rules! functions { ($($n:ident ($($p:ident : $t:ty),*) -> $r:ty { $e:expr })*) => { $(#[inline(never)] #[no_mangle]
    pub fn $n($($p: $t),*) -> $r { $(seen(&$p);)* $e })* } }
functions! {
    by_string(s: String, k: i32) -> i32 { k }
    by_vec(s: Vec<u32>, k: i32) -> i32 { k }
    by_unit(s: (), k: i32) -> i32 { k }
    by_str(s: &str, k: i32) -> i32 { k }
    by_option(s: Option<u64>, k: i32) -> i32 { k }
    by_result(s: Result<u64, String>, k: i32) -> i32 { k }
    by_pair(s: Pair, k: i32) -> i32 { k }
    by_tuple(s: (u32, u64), k: i32) -> i32 { k }
    by_wide(s: i128, k: i32) -> i32 { k }
    by_many(a: u8, b: (), c: &str, d: u64, e: Option<u8>, f: u64, g: u64, k: i32) -> i32 { k }
    by_array(s: [u8; 3], k: i32) -> i32 { k }
    by_box(s: Box<dyn Fn(i32) -> i32>, k: i32) -> i32 { s(k) }
    gives_string(s: u8, k: i32) -> String { String::from("abc") }
    gives_three(s: u8, k: i32) -> Three { Three { a: 81, b: 82, c: 83 } }
    gives_tuple(s: u8, k: i32) -> (u64, u64) { (71, 72) }
    gives_pair(s: u8, k: i32) -> Pair { Pair { a: 61, b: 62 } }
}
#[inline(never)]
fn by_closure<F: Fn(i32) -> i32>(s: F, k: i32) -> i32 { seen(&s); s(k) + 1 }
fn main() {
    let y = seen(5);
    let mut n = by_string(String::from("abc"), 42) + by_vec(vec![1], 42) + by_unit((), 42) + by_str("abc", 42);
    n += by_option(Some(7), 42) + by_result(Ok(3), 42) + by_pair(Pair { a: 31, b: 32 }, 42) + by_tuple((1, 2), 42) + by_wide(-5, 42);
    n += by_many(1, (), "abc", 4, Some(5), 7, 8, 42) + by_array([1, 2, 3], 42) + by_box(Box::new(move |x| x + y), 42);
    n += gives_string(1, 42).len() as i32 + gives_three(1, 42).c as i32 + gives_tuple(1, 42).1 as i32 + gives_pair(1, 42).b as i32;
    n += by_closure(|x| x * y, 42) + by_closure(move |x| x - y, 42);
    println!("{}", n);
}
R
functions=$(grep -o '\(by\|gives\)_[a-z]*(' "$tmp/ra.rs" | tr -d '(' | sort -u)
is() { dtx -qn "uprobe:$tmp/ra:$1 { printf(\"\\n=%d\\n\", (int)($2)); }" -c "$tmp/ra"; same "=$3" "$(grep '^=' "$tmp/out" | sort -u)" "$level: $1, $2"; }
for level in 0 2 s; do
	rustc -A warnings -g -C opt-level=$level -o "$tmp/ra" "$tmp/ra.rs" || fail rustc
	program=
	for f in $functions; do
		case $f in by_closure) p="*$f*" ;; *) p=$f ;; esac
		program+="uprobe:$tmp/ra:$p:entry { printf(\"\\n=$f %d\\n\", k); } "
	done
	dtx -qn "$program" -c "$tmp/ra"
	same "$(for f in $functions; do echo "=$f 42"; done)" "$(grep '^=' "$tmp/out" | sort -u)" "opt-level=$level"
	is by_string:entry arg1 42
	is by_pair:entry s.b 32
	is by_str:entry s.length 3
	is gives_tuple:return retval.__1 72
	is gives_three:return retval.b 82
	is by_unit:return retval 42
	"$DTX" -qn "uprobe:$tmp/ra:gives_pair:return { trace(retval.b); }" 2>"$tmp/err" && fail "a pair in two registers was read as one"
	grep -q "cannot be read: its function has Rust's calling convention" "$tmp/err" || fail "$(cat "$tmp/err")"
done
