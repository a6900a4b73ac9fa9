/* SPDX-License-Identifier: BSD-2-Clause */
// args[] follow the mapping of the declaration, in which an argument may stand twice; argN stay
// those of the site.
// needs: uprobes
// where: both
// run: -q
// trigger: usdt 2
provider app {
	probe step(int a, char *s, int c) : (int c, int a, char a);
};
app$target:::step
{
	printf("%d %d %d %d, raw %d %d %d\n", args[0], args[1], args[2], sizeof(args[2]), arg0, arg2,
	    arg7);
	printf("%d %d\n", args.c, args.a);
}
