// SPDX-License-Identifier: BSD-2-Clause
// The plan: a lock, and how long it was waited for.
// filter: kind
// needs: root
lockstat:::rw-spin { trace(arg0); }
