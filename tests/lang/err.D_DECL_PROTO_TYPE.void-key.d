// SPDX-License-Identifier: BSD-2-Clause
// void cannot stand beside other keys of an associative array.
int a[int, void];
BEGIN { exit(0); }
