// SPDX-License-Identifier: BSD-2-Clause
BEGIN { x = ; }
END { y = ) }
tick-1s { z = 1 }
int;
