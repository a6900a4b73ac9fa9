// SPDX-License-Identifier: BSD-2-Clause
profile:tick-1sec { }
