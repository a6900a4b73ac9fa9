// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// The difference of pointers is a number of elements.
BEGIN { this->p = (uint32_t *)alloca(32); this->q = this->p + 5; printf("%d %d %d\n", this->q - this->p, this->p - this->q, sizeof (this->q - this->p)); exit(0); }
