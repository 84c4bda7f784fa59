//go:build !race

#include "go_asm.h"
#include "textflag.h"

// Rows from a prefetch of a slot to its use, in bytes of handles.
#define AHEAD 256

// func locate(to *addrs, found *words, handles *uint64, n int, last *uint64, k *kernel)
TEXT ·locate(SB), NOSPLIT, $0-48
	MOVQ to+0(FP), DI
	MOVQ found+8(FP), DX
	MOVQ handles+16(FP), SI
	MOVQ n+24(FP), CX
	MOVQ last+32(FP), R13
	MOVQ k+40(FP), R15
	MOVQ kernel_slots(R15), R8
	MOVQ kernel_count(R15), R12
	MOVQ kernel_cells(R15), R9
	MOVQ kernel_mask(R15), R10
	MOVQ kernel_stride(R15), R11
	TESTQ CX, CX
	JLE  located

row:
	LEAQ AHEAD(SI), R14      // the handle ahead, or the last one
	CMPQ R14, R13
	CMOVQHI R13, R14
	MOVL (R14), R14
	PREFETCHT0 (R8)(R14*8)

	MOVQ (SI), R14
	MOVL R14, AX             // index
	CMPQ AX, R12
	SBBQ BX, BX              // all ones if there is such a slot, else 0
	ANDQ BX, AX
	ANDQ (R8)(AX*8), BX      // slot word, or 0
	XORQ BX, R14
	SHRQ $const_versionShift, R14
	XORL AX, AX
	CMPQ R14, kernel_mark(R15)
	CMOVQNE AX, BX
	TESTL $const_chunkMask, BX // a location without a chunk is none
	CMOVQEQ AX, BX
	MOVQ BX, (DX)

	MOVQ BX, AX
	ANDQ R10, AX
	SHLQ $4, AX
	MOVQ (R9)(AX*1), AX      // row 0 in the chunk
	MOVQ BX, R14
	SHRQ $const_chunkBits, R14
	ANDL $const_rowMask, R14
	IMULQ R11, R14
	ADDQ R14, AX
	ADDQ kernel_offset(R15), AX
	TESTQ BX, BX
	CMOVQEQ kernel_none(R15), AX
	MOVQ AX, (DI)
	PREFETCHT1 (AX)
	MOVQ kernel_reach(R15), R14
	TESTQ R14, R14
	JEQ  next
	PREFETCHT1 (AX)(R14*1)

next:
	ADDQ $8, SI
	ADDQ $8, DX
	ADDQ $8, DI
	DECQ CX
	JNE  row

located:
	RET

// func locatePlaces(to *addrs, places *uint32, n int, k *kernel)
TEXT ·locatePlaces(SB), NOSPLIT, $0-32
	MOVQ to+0(FP), DI
	MOVQ places+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ k+24(FP), R15
	MOVQ kernel_cells(R15), R9
	MOVQ kernel_mask(R15), R10
	MOVQ kernel_stride(R15), R11
	MOVQ kernel_offset(R15), R12
	MOVQ kernel_none(R15), R13
	MOVQ kernel_reach(R15), R8
	TESTQ CX, CX
	JLE  located

row:
	MOVL (SI), BX
	MOVQ BX, AX
	SHRQ $const_rowBits, AX
	ANDQ R10, AX
	SHLQ $4, AX
	MOVQ (R9)(AX*1), AX
	MOVL BX, DX
	ANDL $const_rowMask, DX
	IMULQ R11, DX
	ADDQ R12, AX
	ADDQ DX, AX
	CMPL BX, $-1             // NoPlace
	CMOVQEQ R13, AX
	MOVQ AX, (DI)
	PREFETCHT1 (AX)
	TESTQ R8, R8
	JEQ  next
	PREFETCHT1 (AX)(R8*1)

next:
	ADDQ $4, SI
	ADDQ $8, DI
	DECQ CX
	JNE  row

located:
	RET

// func prefetch(from unsafe.Pointer, lines uintptr)
TEXT ·prefetch(SB), NOSPLIT, $0-16
	MOVQ from+0(FP), SI
	MOVQ lines+8(FP), CX
	TESTQ CX, CX
	JEQ  asked

line:
	PREFETCHT1 (SI)
	ADDQ $64, SI
	DECQ CX
	JNE  line

asked:
	RET

// func prefetchRows(bits *uint64, n int, column unsafe.Pointer, stride uintptr)
TEXT ·prefetchRows(SB), NOSPLIT, $0-32
	MOVQ bits+0(FP), SI
	MOVQ n+8(FP), CX
	MOVQ column+16(FP), DI
	MOVQ stride+24(FP), R8
	MOVQ R8, R9
	SHLQ $6, R9

word:
	MOVQ  (SI), AX
	TESTQ AX, AX
	JEQ   none

row:
	BSFQ  AX, DX
	LEAQ  -1(AX), BX
	IMULQ R8, DX
	PREFETCHT1 (DI)(DX*1)
	ANDQ  BX, AX
	JNE   row

none:
	ADDQ $8, SI
	ADDQ R9, DI
	DECQ CX
	JNE  word
	RET
