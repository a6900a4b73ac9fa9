// SPDX-License-Identifier: BSD-2-Clause
// NULL is no string that lacks its quotes.
BEGIN { s = pid ? "a" : NULL; }
