// SPDX-License-Identifier: BSD-2-Clause
BEGIN { this->p = (void *)0; trace(this->p[1]); }
