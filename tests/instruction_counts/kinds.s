# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
# A function with a known number of instructions of each kind: fma 3, mul 2, add 2, shuffle 2, convert 1, spill 1,
# reload 2, load 3, store 1, vector 2, scalar 4; three with operands in memory beside moves. And one without vectors.
	.intel_syntax noprefix
	.text
	.globl	known_kinds
	.type	known_kinds, @function
known_kinds:
	vmovups	ymm0, YMMWORD PTR [rdi]
	vmovaps	ymm1, YMMWORD PTR [rdi+32]
	vbroadcastss	ymm2, DWORD PTR [rsi]
	vfmadd231ps	ymm0, ymm1, ymm2
	vfnmadd213ps	ymm0, ymm1, YMMWORD PTR [rsi+64]
	vfmaddsub132ps	ymm0, ymm1, ymm2
	vmulps	ymm3, ymm0, ymm1
	vmulsd	xmm4, xmm4, QWORD PTR [rsp-24]
	vaddps	ymm3, ymm3, ymm2
	vsubps	ymm3, ymm3, YMMWORD PTR [rdx]
	vpermilps	ymm5, ymm3, 177
	vbroadcastss	ymm6, xmm5
	vcvtps2pd	ymm7, xmm6
	vmovups	YMMWORD PTR [rsp-72], ymm7
	vmovups	ymm8, YMMWORD PTR [rsp-72]
	vbroadcastss	ymm9, DWORD PTR [rsp-72]
	vmovups	YMMWORD PTR [rdx], ymm3
	vxorps	ymm9, ymm9, ymm9
	vmovaps	ymm10, ymm9
	lea	rax, [rdi+8]
	prefetcht0	BYTE PTR [rax]
	nop
	vzeroupper
	ret
	.size	known_kinds, .-known_kinds
	.globl	no_vectors
	.type	no_vectors, @function
no_vectors:
	mov	eax, edi
	ret
	.size	no_vectors, .-no_vectors
	.section	.note.GNU-stack,"",@progbits
