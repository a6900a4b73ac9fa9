// SPDX-License-Identifier: BSD-2-Clause
struct s { struct s inner; };
