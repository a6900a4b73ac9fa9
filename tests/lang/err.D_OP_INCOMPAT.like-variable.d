// SPDX-License-Identifier: BSD-2-Clause
// A pattern is known before the program runs.
string pattern;
BEGIN { trace(execname =~ pattern); }
