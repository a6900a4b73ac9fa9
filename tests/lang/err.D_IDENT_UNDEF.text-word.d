// SPDX-License-Identifier: BSD-2-Clause
BEGIN /execname == bash/ { }
