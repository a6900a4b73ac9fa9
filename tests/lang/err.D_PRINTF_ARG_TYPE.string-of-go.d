// SPDX-License-Identifier: BSD-2-Clause
/* A string of another language has no NUL: the help says how its bytes are read. */
struct gostring { uint8_t *str; int64_t len; };
struct gostring go;
BEGIN { printf("%s", go); }
