/* SPDX-License-Identifier: BSD-2-Clause */
// row: conv.f
/* %e %f %g of float, double and long double objects; the size letters are optional. */
#pragma D option quiet
BEGIN
{
	this->d = (uint64_t *)alloca(8); *this->d = 0x400921fb54442d18;
	this->f = (uint32_t *)alloca(4); *this->f = 0xc0200000;
	this->l = (uint64_t *)alloca(16); this->l[0] = 0x8000000000000000; this->l[1] = 0x3fff;
	printf("%f %e %g\n", *(double *)this->d, *(double *)this->d, *(double *)this->d);
	printf("%E %G %lf\n", *(double *)this->d, *(double *)this->d, *(double *)this->d);
	printf("[%10.2f][%-10.2f][%+.1f][%010.3f]\n", *(double *)this->d, *(double *)this->d, *(double *)this->d, *(double *)this->d);
	printf("%f %g\n", *(float *)this->f, *(float *)this->f);
	printf("%Lf %Lg\n", *(long double *)this->l, *(long double *)this->l);
	printf("%f %g\n", *(long double *)this->l, *(long double *)this->l);
	printf("%Le %LE %LG\n", *(long double *)this->l, *(long double *)this->l, *(long double *)this->l);
	printf("%le %lE %lg %lG\n", *(double *)this->d, *(double *)this->d, *(double *)this->d, *(double *)this->d);
	exit(0);
}
