// SPDX-License-Identifier: BSD-2-Clause
#pragma D depends_on library x.d
BEGIN { }
