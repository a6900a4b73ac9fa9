// SPDX-License-Identifier: BSD-2-Clause
BEGIN { x = a[(1]; }
