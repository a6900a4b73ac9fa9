// SPDX-License-Identifier: BSD-2-Clause
#pragma D param a int "x"
#pragma D param a int "y"
BEGIN { }
