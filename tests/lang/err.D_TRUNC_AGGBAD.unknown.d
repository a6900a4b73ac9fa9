// SPDX-License-Identifier: BSD-2-Clause
// trunc() of an aggregation that is nowhere defined.
BEGIN { trunc(@x); }
