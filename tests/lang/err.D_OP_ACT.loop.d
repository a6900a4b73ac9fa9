// SPDX-License-Identifier: BSD-2-Clause
// The record has one place for what an action records.
BEGIN { for (i = 0; i < 3; i++) printf("%d", i); }
