// SPDX-License-Identifier: BSD-2-Clause
BEGIN /(pid > 1/ { trace(1); }
