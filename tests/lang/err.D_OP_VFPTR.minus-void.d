// SPDX-License-Identifier: BSD-2-Clause
BEGIN { x = 1; x -= (void *)1; }
