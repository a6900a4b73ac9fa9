// SPDX-License-Identifier: BSD-2-Clause
#pragma D param hours,h int 10 "rows"
BEGIN { }
