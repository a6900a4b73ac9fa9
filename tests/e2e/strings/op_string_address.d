// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// A string and a number are an address: the rest of the string.
BEGIN { this->s = "hello"; printf("%s %c %s %s\n", stringof(this->s + 2), *(this->s + 1), stringof("abc" + 1), stringof(execname + 1)); exit(0); }
