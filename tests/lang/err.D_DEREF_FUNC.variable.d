// SPDX-License-Identifier: BSD-2-Clause
// What a function pointer points to is no value.
int (*f)(int);
BEGIN { trace(*f); }
