// SPDX-License-Identifier: BSD-2-Clause
#pragma D param rows number 10 "rows"
BEGIN { }
