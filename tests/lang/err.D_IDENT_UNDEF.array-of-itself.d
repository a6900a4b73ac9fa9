// SPDX-License-Identifier: BSD-2-Clause
// The only assignment of the array reads it: nothing says what its values are.
BEGIN { trace(a[1]); }
BEGIN { a[1] = a[1] + 1; }
