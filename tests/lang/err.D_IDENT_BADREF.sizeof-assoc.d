// SPDX-License-Identifier: BSD-2-Clause
BEGIN { a["x"] = 1; trace(sizeof(a)); }
