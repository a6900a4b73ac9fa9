// SPDX-License-Identifier: BSD-2-Clause
#pragma D param limit int 10
BEGIN { }
