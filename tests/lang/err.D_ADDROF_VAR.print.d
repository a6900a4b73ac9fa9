// SPDX-License-Identifier: BSD-2-Clause
struct s { int a; };
struct s v;
BEGIN { print(&v); }
