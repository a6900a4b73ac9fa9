// SPDX-License-Identifier: BSD-2-Clause
// Numbers and their types, characters, strings, comments.
#!/usr/sbin/dtrace -s
#pragma D option quiet
#pragma ident "x"
#line 10 "other.d"
#ident "y"
BEGIN
{
	0; 1; 017; 0x1F; 2147483647; 2147483648; 0x80000000; 0xffffffff; 4294967296;
	9223372036854775807; 9223372036854775808u; 18446744073709551615u; 0xffffffffffffffff;
	1u; 1U; 1l; 1ul; 1ll; 1ull; 1UL; 4294967296u; 0x8000000000000000l; 0x8000000000000000ll;
	10ns; 5us; 3ms; 1s; 2m; 1h; 1d;
	'a'; 'ab'; 'abcdefgh'; '\n'; '\0'; '\''; '\\'; '\x41'; '\101'; '\377';
	""; "a\tb\n\"c\"\\"; "\x41\102\d"; "cut\0off"; "/* no comment */ // none";
	/* a comment */ 1 /* another */; // and one more
	a \
	+ b;
}
