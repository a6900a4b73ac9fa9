// SPDX-License-Identifier: BSD-2-Clause
static static int x;
