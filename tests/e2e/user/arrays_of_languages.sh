#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Arrays of languages that count from 1 or from any number, order the elements by columns (Fortran), or put several into a
# byte (Ada): they have the size that they have in the program, and no element is another one.
# needs: uprobes gfortran gnatmake
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/table.f90" <<'F'
module table
  type t
    integer :: a(2,3)
    integer :: b(-1:1)
    integer(1) :: c(-40000:-39000), d(200), e(-200:200)
    integer :: k
  end type
contains
  subroutine take(x, k)
    type(t), intent(in) :: x
    integer, intent(in) :: k
    if (x%k == k) print *, 1
  end subroutine
end module
program p
  use table
  type(t) :: x
  x%a = reshape((/ 11, 21, 12, 22, 13, 23 /), (/ 2, 3 /))
  x%b = (/ 7, 8, 9 /)
  x%k = 5
  call take(x, 6)
end program
F
gfortran -g -O0 -J "$tmp" -o "$tmp/table" "$tmp/table.f90" || fail gfortran
dtx -qn "uprobe:$tmp/table:__table_MOD_take:entry {
	printf(\"%d %d %d\\n\", sizeof(x.a), sizeof(x.a[0]), sizeof(x.b));
	printf(\"%d %d %d\\n\", sizeof(x.c), sizeof(x.d), sizeof(x.e));
	printf(\"%d %d %d %d %d\\n\", x.a[0][1], x.a[1][0], x.a[2][1], x.b[2], x.k); }" -c "$tmp/table"
same $'24 8 12\n1001 200 401\n21 12 23 9 5' "$(grep . "$tmp/out")" 'Fortran'

cat >"$tmp/packs.adb" <<'A'
procedure Packs is
   type Bits is array (1 .. 32) of Boolean; pragma Pack (Bits);
   type Half is mod 16;
   type Halves is array (1 .. 8) of Half; pragma Pack (Halves);
   type Three is array (2 .. 4) of Integer;
   type Rec is record B : Bits; H : Halves; T : Three; K : Integer; end record;
   Sum : Integer := 0; pragma Volatile (Sum);
   procedure Take (R : access Rec);
   pragma No_Inline (Take);
   procedure Take (R : access Rec) is
   begin
      Sum := Integer (R.H (3)) + Boolean'Pos (R.B (2)) + R.T (2);
   end Take;
   X : aliased Rec := (B => (2 => True, others => False), H => (1, 2, 3, 4, 5, 6, 7, 8), T => (7, 8, 9), K => 5);
begin
   Take (X'Access);
end Packs;
A
(cd "$tmp" && gnatmake -q -g -O0 packs.adb) || fail gnatmake
take="uprobe:$tmp/packs:packs__take*:entry"
dtx -qn "$take { print(r); printf(\"%d\\n\", sizeof(r->t)); }" -c "$tmp/packs"
same '(struct packs__rec) {
.b = (struct packed array)02 00 00 00,
.h = (struct packed array)21 43 65 87,
.t = (packs__three) [
(integer)7,
(integer)8,
(integer)9,
],
.k = (integer)5,
}
12' "$(sed -e 's/^ *//' -e '/^0x/d' -e '/^$/d' "$tmp/out")" 'Ada'
refused "'struct packed array'" -en "$take { trace(r->h[2]); }"
