// SPDX-License-Identifier: BSD-2-Clause
// tracemem() has at most a dynamic size as its third argument.
BEGIN { tracemem(curthread, 4, 4, 4); }
