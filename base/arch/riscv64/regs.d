/* SPDX-License-Identifier: BSD-2-Clause */
/* regs.d - indices of uregs[] on riscv64: as struct user_regs_struct has them. */
inline int R_PC = 0;
inline int R_RA = 1;
inline int R_SP = 2;
inline int R_GP = 3;
inline int R_TP = 4;
inline int R_T0 = 5;
inline int R_T1 = 6;
inline int R_T2 = 7;
inline int R_S0 = 8;
inline int R_FP = 8;
inline int R_S1 = 9;
inline int R_A0 = 10;
inline int R_A1 = 11;
inline int R_A2 = 12;
inline int R_A3 = 13;
inline int R_A4 = 14;
inline int R_A5 = 15;
inline int R_A6 = 16;
inline int R_A7 = 17;
inline int R_R0 = 10;
inline int R_R1 = 11;
