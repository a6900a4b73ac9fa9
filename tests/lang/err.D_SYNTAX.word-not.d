// SPDX-License-Identifier: BSD-2-Clause
BEGIN { if (not pid) { exit(0); } }
