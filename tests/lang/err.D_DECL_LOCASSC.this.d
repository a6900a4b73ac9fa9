// SPDX-License-Identifier: BSD-2-Clause
this int x[int];
