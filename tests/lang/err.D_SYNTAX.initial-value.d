// SPDX-License-Identifier: BSD-2-Clause
int n = 0;
BEGIN { trace(n); }
