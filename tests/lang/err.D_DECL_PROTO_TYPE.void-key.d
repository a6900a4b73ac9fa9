// SPDX-License-Identifier: BSD-2-Clause
// void cannot be combined with other keys of an associative array.
int a[int, void];
BEGIN { exit(0); }
