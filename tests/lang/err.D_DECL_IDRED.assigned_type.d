/* SPDX-License-Identifier: BSD-2-Clause */
/* The name of a type is not the name of a variable that is made by its first value. */
typedef int number_t;
BEGIN { number_t = 3; }
