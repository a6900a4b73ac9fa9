// SPDX-License-Identifier: BSD-2-Clause
BEGIN { do { } while (1); }
