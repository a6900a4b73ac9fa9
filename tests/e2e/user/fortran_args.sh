#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Fortran passes the addresses of its parameters, and lengths of texts behind them.
# needs: uprobes gfortran
# truth: arguments, Fortran | integers by reference and by value | the program's own calls
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/shop.f90" <<'F'
module shop
contains
  integer function sell(a, text, k)
    integer :: a, k
    character(len=*) :: text
    sell = a + k + len(text)
  end function
  subroutine add(x, v, n)
    real(8) :: x
    integer, value :: v
    integer(8) :: n
    n = n + v + int(x)
  end subroutine
end module
program main
  use shop
  integer(8) :: n
  n = 5
  n = n + sell(3, "hello", 7)
  call add(2.5d0, 9, n)
  if (n /= 31) stop 1
end program
F
for o in -O0 -O2; do
	gfortran -g $o -fno-inline -fno-ipa-cp -fno-ipa-sra -J "$tmp" -o "$tmp/shop" "$tmp/shop.f90" || fail gfortran
	dtx -qn "uprobe:$tmp/shop:__shop_MOD_sell:entry { printf(\"%d %d\\n\", a, k); } uprobe:$tmp/shop:__shop_MOD_add:entry { printf(\"%d\\n\", v); }" -c "$tmp/shop"
	same $'3 7\n9' "$(grep . "$tmp/out")" "$o"
	# Behind a floating-point number by reference; gcc does not follow the register of its address.
	"$DTX" -qn "uprobe:$tmp/shop:__shop_MOD_add:entry { printf(\"%d\\n\", n); }" -c "$tmp/shop" >"$tmp/out" 2>"$tmp/err"
	[ "$(grep . "$tmp/out")" = 20 ] || { [ $o = -O2 ] && grep -q "'n' cannot be read" "$tmp/err"; } || fail "$o, n: $(cat "$tmp/out" "$tmp/err")"
done
