// SPDX-License-Identifier: BSD-2-Clause
// Which register is known when the program is compiled.
BEGIN { i = 3; trace(uregs[i]); }
