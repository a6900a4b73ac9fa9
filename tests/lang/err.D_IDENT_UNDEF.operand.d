/* SPDX-License-Identifier: BSD-2-Clause */
/* args: word */
/* An operand that is a word is a name, also where a text is meant. */
BEGIN { printf("%s", str($1)); exit(0); }
