// SPDX-License-Identifier: BSD-2-Clause
// The dynamic size of tracemem() is an integer.
BEGIN { tracemem(curthread, 4, "x"); }
