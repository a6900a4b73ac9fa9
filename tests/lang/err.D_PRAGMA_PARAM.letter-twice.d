// SPDX-License-Identifier: BSD-2-Clause
#pragma D param a,x int "x"
#pragma D param b,x int "y"
BEGIN { }
