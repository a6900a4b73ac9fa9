// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// Pointers and integers cast to each other.
BEGIN { this->p = (char *)0x1234; printf("%x %d\n", (uint64_t)this->p, (long)(void *)5); exit(0); }
