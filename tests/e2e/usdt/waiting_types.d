/* SPDX-License-Identifier: BSD-2-Clause */
// With -Z the probes that are there already keep the types of their args[], mapped or not, beside
// what is waited for.
// needs: uprobes
// where: both
// run: -Zq
// trigger: usdt 2
provider app {
	probe step(int a, char *s, int c) : (int c, int a);
};
app$target:::step { printf("%d %d\n", args[0], args[1]); }
app$target:::guarded { printf("%d %d\n", args[0], sizeof(args[0])); }
