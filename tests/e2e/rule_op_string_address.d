// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// A string and a number are an address: the rest of the string.
BEGIN { this->s = "hello"; printf("%s %c\n", stringof(this->s + 2), *(this->s + 1)); exit(0); }
