/* SPDX-License-Identifier: BSD-2-Clause */
/* inet_ntop of another family is an illegal operation. */
#pragma D option quiet
BEGIN { this->a = (uint32_t *)alloca(16); af = 99; printf("never\n"); printf("%s\n", inet_ntop(af, this->a)); }
ERROR { printf("error %d\n", arg4); }
BEGIN { exit(0); }
