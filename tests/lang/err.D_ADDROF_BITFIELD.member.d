/* SPDX-License-Identifier: BSD-2-Clause */
struct s { int a:3; }; struct s x; BEGIN { this->p = &x.a; }
