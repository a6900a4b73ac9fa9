// SPDX-License-Identifier: BSD-2-Clause
#define X 1
BEGIN { }
