// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// stringof x is stringof(x).
BEGIN { printf("%s\n", stringof curthread->comm); exit(0); }
