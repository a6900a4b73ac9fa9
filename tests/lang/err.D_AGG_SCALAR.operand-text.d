// SPDX-License-Identifier: BSD-2-Clause
// args: 1.5
BEGIN { @ = sum($1); }
