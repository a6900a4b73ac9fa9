// SPDX-License-Identifier: BSD-2-Clause
// denormalize() is for aggregations.
BEGIN { denormalize(1); }
