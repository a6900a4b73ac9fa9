/* SPDX-License-Identifier: BSD-2-Clause */
// Arguments of USDT probes from wherever a compiler leaves them; two sites of one probe with
// different places and types; a probe that fires only when somebody looks.
// needs: uprobes
// where: both
// run: -q
// trigger: usdt 4
app$target:::step { printf("step %d %s %d %d\n", arg0, copyinstr(arg1), args[2], args[0]); }
app$target:usdt:steps:guarded { printf("guarded %d %d\n", args[0], arg0); }
app$target:::places
{
	printf("places %x %x %d %x %x %d %d %d %d %d\n", arg0, arg1, arg2, arg3, arg4, arg5, arg6,
	    arg7, arg8, arg9);
}
app$target:::values
{
	printf("values %d %d %d %d %d %d %d %d %d\n", arg0, arg1, arg2, arg3, arg4, arg6, arg7, arg8,
	    arg9);
}
app$target:::sums { printf("sums %d %d %s\n", arg0, arg1, probename); }
