// SPDX-License-Identifier: BSD-2-Clause
BEGIN { trace(1)); }
