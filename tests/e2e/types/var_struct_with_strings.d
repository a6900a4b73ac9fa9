// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// A struct may hold strings, in arrays, and be copied with them.
struct s { int n; string t; string u[2]; }; struct s v; struct s w[int];
BEGIN { v.t = "abc"; v.u[1] = "de"; w[7] = v; v.t = "no"; printf("%s %s [%s] %s %s\n", w[7].t, w[7].u[1], w[7].u[0], v.t, strjoin(w[7].t, v.u[1])); exit(0); }
