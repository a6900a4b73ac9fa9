// SPDX-License-Identifier: BSD-2-Clause
struct nowhere_at_all x;
