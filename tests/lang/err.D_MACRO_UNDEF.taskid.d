/* SPDX-License-Identifier: BSD-2-Clause */
// row: macro.projid
/* Macro variables of illumos. */
BEGIN { trace($taskid); }
