// SPDX-License-Identifier: BSD-2-Clause
// An aggregation has no single value that ++ could change.
BEGIN { @a++; }
