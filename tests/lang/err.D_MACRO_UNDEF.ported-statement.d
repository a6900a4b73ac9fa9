// SPDX-License-Identifier: BSD-2-Clause
BEGIN { if ($x > 1) { $y = $x * 2; } }
