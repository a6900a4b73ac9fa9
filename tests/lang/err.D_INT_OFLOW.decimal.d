// SPDX-License-Identifier: BSD-2-Clause
BEGIN { x = 18446744073709551616; }
