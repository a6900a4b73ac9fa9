// SPDX-License-Identifier: BSD-2-Clause
static int x;
