// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// Empty statements are nothing; the last semicolon is optional.
BEGIN { ;; x = 1;; printf("%d\n", x);; exit(0) }
