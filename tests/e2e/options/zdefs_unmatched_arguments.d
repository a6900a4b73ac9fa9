// SPDX-License-Identifier: BSD-2-Clause
// run: -q -Z
// What depends on arguments of probes that do not exist is left out.
nosuch*:::entry { @x[args[0]->name] = sum(args[1]); total = args[0]->len; self->p = args[2]; }
BEGIN { printa("%s %@d\n", @x); total++; printf("%d\n", total); }
BEGIN /self->p/ { printf("never\n"); }
BEGIN { printf("end\n"); exit(0); }
