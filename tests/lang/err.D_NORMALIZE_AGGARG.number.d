// SPDX-License-Identifier: BSD-2-Clause
// normalize() is for aggregations.
BEGIN { normalize(1, 2); }
