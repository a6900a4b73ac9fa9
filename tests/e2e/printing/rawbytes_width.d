/* SPDX-License-Identifier: BSD-2-Clause */
// run: -q -x rawbytes -x strsize=24
/* A string has all the bytes that it has room for. */
string s;
BEGIN { trace("abc"); s = "twenty-three characters"; trace(s); trace(probename); exit(0); }
