// SPDX-License-Identifier: BSD-2-Clause
BEGIN { jstack(1, 2, 3); }
