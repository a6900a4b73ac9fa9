// SPDX-License-Identifier: BSD-2-Clause
BEGIN /pid and tid/ { }
