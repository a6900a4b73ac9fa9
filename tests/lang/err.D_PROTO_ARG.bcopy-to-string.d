// SPDX-License-Identifier: BSD-2-Clause
// A string is no scratch memory.
BEGIN { bcopy("a", "b", 1); }
