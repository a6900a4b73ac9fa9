// SPDX-License-Identifier: BSD-2-Clause
#pragma D param max-rows int 10 "rows"
BEGIN { }
