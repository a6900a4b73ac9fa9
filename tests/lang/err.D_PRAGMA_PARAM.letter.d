// SPDX-License-Identifier: BSD-2-Clause
#pragma D param rows,ro int 10 "rows"
BEGIN { }
