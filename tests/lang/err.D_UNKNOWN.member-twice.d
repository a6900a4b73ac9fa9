// SPDX-License-Identifier: BSD-2-Clause
struct s { int a; int a; };
