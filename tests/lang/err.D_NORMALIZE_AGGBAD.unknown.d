// SPDX-License-Identifier: BSD-2-Clause
// normalize() of an aggregation that is nowhere defined.
BEGIN { normalize(@x, 2); }
