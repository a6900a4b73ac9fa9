// SPDX-License-Identifier: BSD-2-Clause
BEGIN { while (1) { } }
