/* SPDX-License-Identifier: BSD-2-Clause */
struct s { };
BEGIN { exit(0); }
