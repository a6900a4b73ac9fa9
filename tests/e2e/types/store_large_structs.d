/* SPDX-License-Identifier: BSD-2-Clause */
/* Structs too large for the stack, copied whole and in part. */
#pragma D option quiet
struct s { long a[40]; int z; }; struct s m[int]; struct s g; this struct s t; BEGIN { g.a[39] = 7; g.z = 2; m[1] = g; this->t = m[1]; m[2].a[this->t.z] = 4; printf("%d %d %d\n", this->t.a[39], m[1].z, m[2].a[2]); m[3] = m[1] ; m[1] = 0; printf("%d %d\n", m[3].a[39], m[1].a[39]); exit(0); }
