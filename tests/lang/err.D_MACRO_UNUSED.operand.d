// SPDX-License-Identifier: BSD-2-Clause
// args: a b
BEGIN { x = $1; }
