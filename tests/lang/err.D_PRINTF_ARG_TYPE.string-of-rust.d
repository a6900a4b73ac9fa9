// SPDX-License-Identifier: BSD-2-Clause
/* A string of another language has no NUL: the help says how its bytes are read. */
struct str { uint8_t *data_ptr; uint64_t length; };
struct str rust;
BEGIN { printf("%s", rust); }
