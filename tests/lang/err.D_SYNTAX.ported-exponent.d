// SPDX-License-Identifier: BSD-2-Clause
BEGIN { x = 1e6 + 2; }
