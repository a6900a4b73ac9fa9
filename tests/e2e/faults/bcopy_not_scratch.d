/* SPDX-License-Identifier: BSD-2-Clause */
/* bcopy to an address that is not scratch memory is a fault. */
/* needs: btf */
#pragma D option quiet
BEGIN { this->a = alloca(8); bcopy(this->a, curthread, 8); printf("never\n"); }
ERROR { printf("error %d\n", arg4); }
BEGIN { exit(0); }
