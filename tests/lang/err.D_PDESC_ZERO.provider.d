/* SPDX-License-Identifier: BSD-2-Clause */
nosuch:::probe { trace(1); }
