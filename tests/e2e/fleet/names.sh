#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# --hosts: lists, ranges, files, and what is no list.
. "$(dirname "$0")/../lib.sh"

# called LIST…: the hosts that are called, in the order of their names.
called() {
	local args=() l
	for l; do args+=(--hosts "$l"); done
	rm -f "$tmp/called"
	"$DTX" "${args[@]}" --via "echo %h >>$tmp/called; exit 1" -n BEGIN >"$tmp/out" 2>"$tmp/err" && fail "no host answers: $*"
	sort -V "$tmp/called" | tr '\n' ' '
}

same 'web1 web2 ' "$(called web1,web2)" 'a list'
same 'a b c ' "$(called a 'b, c')" 'several lists, and spaces'
same 'db08 db09 db10 db11 ' "$(called 'db[08-11]')" 'a range with zeros'
same 'n1 n4 n7 n9 n20 ' "$(called 'n[1-8/3,9,20]')" 'steps and single numbers'
same 'r1n01.x r1n02.x r2n01.x r2n02.x ' "$(called 'r[1-2]n[01-02].x')" 'two ranges'
printf '# hosts of a file\nweb[1-2] # two\n\n@%s\n' "$tmp/more" >"$tmp/hosts"
echo 'last' >"$tmp/more"
same 'last one web1 web2 ' "$(called "one,@$tmp/hosts")" 'a file that names another'
same 'a b ' "$(called 'a,b,a')" 'a name that is given twice'
grep -qx 'dtx: a is given twice: it is asked once' "$tmp/err" || fail "not told: $(cat "$tmp/err")"
seq -s, -f 'name%0200g' 400 >"$tmp/hosts"
[ "$(called "@$tmp/hosts" | wc -w)" = 400 ] || fail 'a line of 80,000 bytes'

# wrong LIST TEXT MARK: the message, and what is marked below the list.
wrong() {
	refused "$2" --hosts "$1" --via false -n BEGIN
	[ -z "$3" ] || same "$3" "$(awk -v text="  $1" 'at { gsub(/~|\^/, "^"); print substr(text, index($0, "^"), gsub(/\^/, "")); exit } $0 == text { at = 1 }' "$tmp/err")" "the mark of $1"
}
wrong 'db[40-01]' 'the range goes backwards' '40-01'
wrong 'db[1-' 'this bracket is not closed' '['
wrong 'a,db1]' 'no bracket is open here' ']'
wrong 'db[a-b]' 'a range is a number' 'a'
wrong 'db[1-5/0]' 'the step is 0' '1-5/0'
wrong 'db[1-99999]' 'more than 10000 hosts' '1-99999'
wrong 'a,-oProxyCommand=x' "begins with '-'" '-oProxyCommand=x'
wrong 'a!b' 'sets of hosts are not combined' '!'
# attack: names that mean something to the shell, which --via may have in quotes of any kind | refused
for c in '"' "'" '`' '$' \\ ';' '|' '<' '>' '(' '*' '?' '{' '~'; do
	printf 'ok\nx%sx\n' "$c" >"$tmp/hosts"
	refused "$tmp/hosts:2: no host has such a character" --hosts "@$tmp/hosts" --via "touch $tmp/called" -n BEGIN
done
printf 'a\0b\n' >"$tmp/hosts"
refused "$tmp/hosts:1: this is no file of names" --hosts "@$tmp/hosts" --via false -n BEGIN
wrong "@$tmp/none" 'cannot read the hosts' ''
wrong '' 'names no host' ''
printf 'a\nb[2-1]\n' >"$tmp/hosts"
refused "$tmp/hosts:2: the range goes backwards" --hosts "@$tmp/hosts" --via false -n BEGIN
echo "@$tmp/hosts" >"$tmp/hosts"
refused 'too deep' --hosts "@$tmp/hosts" --via false -n BEGIN

# What is of one machine.
refused '-p is a process of one machine' --hosts a --via false -p 1 -n BEGIN
refused '--via needs the hosts' --via false -n BEGIN
refused '--hosts needs a program' --hosts a --via false
refused '--hosts runs a program' --hosts a --via false -ln BEGIN
