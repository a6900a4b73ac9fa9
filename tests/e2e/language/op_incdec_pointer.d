// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// ++ on a pointer moves by its element.
BEGIN { this->p = (int *)alloca(12); this->p[0] = 1; this->p[1] = 2; this->p[2] = 3; this->q = this->p; this->q++; ++this->q; printf("%d ", *this->q); this->q--; printf("%d\n", *this->q); exit(0); }
