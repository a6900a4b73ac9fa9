// SPDX-License-Identifier: BSD-2-Clause
// denormalize() takes the aggregation only.
BEGIN { @a = count(); denormalize(@a, 1); }
