// SPDX-License-Identifier: BSD-2-Clause
enum { A = 0x7fffffff, B };
