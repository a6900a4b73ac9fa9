// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// A declared array may hold strings.
string a[4]; int i;
BEGIN { a[0] = "x"; a[3] = "yy"; i = 3; printf("%s%s|%s|%s %d\n", a[0], a[3], a[1], a[i], strlen(a[i])); exit(0); }
