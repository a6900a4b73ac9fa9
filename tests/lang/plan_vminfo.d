// SPDX-License-Identifier: BSD-2-Clause
// The plan: a stable probe with a value.
// filter: kind
// needs: root
vminfo:::as_fault { @ = sum(arg0); }
