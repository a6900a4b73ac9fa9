// SPDX-License-Identifier: BSD-2-Clause
// trunc() is for aggregations.
BEGIN { trunc(1); }
