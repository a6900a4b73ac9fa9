// SPDX-License-Identifier: BSD-2-Clause
BEGIN { x = 1 y = 2 }
