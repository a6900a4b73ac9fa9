// SPDX-License-Identifier: BSD-2-Clause
#pragma D param pid int 10 "process"
BEGIN { }
