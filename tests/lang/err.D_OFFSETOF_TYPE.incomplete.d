// SPDX-License-Identifier: BSD-2-Clause
BEGIN { trace(offsetof(struct nowhere, x)); }
