// SPDX-License-Identifier: BSD-2-Clause
// row: lang.2.6 lang.22
BEGIN { x = 1.5; }
