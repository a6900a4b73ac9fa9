// SPDX-License-Identifier: BSD-2-Clause
// denormalize() of an aggregation that is nowhere defined.
BEGIN { denormalize(@x); }
