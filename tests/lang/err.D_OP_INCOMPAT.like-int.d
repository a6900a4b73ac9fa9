// SPDX-License-Identifier: BSD-2-Clause
// Only strings match patterns.
BEGIN { trace(5 =~ "x"); }
