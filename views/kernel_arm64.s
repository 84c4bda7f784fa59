//go:build !race

#include "go_asm.h"
#include "textflag.h"

// Rows from a prefetch of a slot to its use, in bytes of handles.
#define AHEAD 256

// func locate(to *addrs, found *words, handles *uint64, n int, last *uint64, k *kernel)
TEXT ·locate(SB), NOSPLIT, $0-48
	MOVD to+0(FP), R0
	MOVD found+8(FP), R1
	MOVD handles+16(FP), R2
	MOVD n+24(FP), R3
	MOVD last+32(FP), R4
	MOVD k+40(FP), R5
	MOVD kernel_slots(R5), R6
	MOVD kernel_count(R5), R7
	MOVD kernel_cells(R5), R8
	MOVD kernel_mask(R5), R9
	MOVD kernel_stride(R5), R10
	MOVD kernel_offset(R5), R11
	MOVD kernel_reach(R5), R12
	MOVD kernel_mark(R5), R13
	MOVD kernel_none(R5), R14
	CMP  $0, R3
	BLE  located

row:
	ADD  $AHEAD, R2, R15     // the handle ahead, or the last one
	CMP  R4, R15
	CSEL HI, R4, R15, R15
	MOVWU (R15), R15
	ADD  R15<<3, R6, R15
	PRFM (R15), PLDL1KEEP

	MOVD.P 8(R2), R16
	MOVWU R16, R17           // index
	CMP  R7, R17
	CSEL LO, R17, ZR, R17
	MOVD (R6)(R17<<3), R17
	CSEL LO, R17, ZR, R17    // slot word, or 0
	EOR  R17, R16, R16
	LSR  $const_versionShift, R16, R16
	CMP  R13, R16
	CSEL EQ, R17, ZR, R17
	MOVD.P R17, 8(R1)

	AND  R9, R17, R16
	ADD  R16<<4, R8, R16
	MOVD (R16), R16          // row 0 in the chunk
	UBFX $const_chunkBits, R17, $const_rowBits, R19
	MADD R10, R16, R19, R16
	ADD  R11, R16, R16
	CMP  $0, R17
	CSEL EQ, R14, R16, R16
	MOVD.P R16, 8(R0)
	PRFM (R16), PLDL2KEEP
	CBZ  R12, next
	ADD  R12, R16, R16
	PRFM (R16), PLDL2KEEP

next:
	SUBS $1, R3, R3
	BNE  row

located:
	RET

// func locatePlaces(to *addrs, places *uint32, n int, k *kernel)
TEXT ·locatePlaces(SB), NOSPLIT, $0-32
	MOVD to+0(FP), R0
	MOVD places+8(FP), R2
	MOVD n+16(FP), R3
	MOVD k+24(FP), R5
	MOVD kernel_cells(R5), R8
	MOVD kernel_mask(R5), R9
	MOVD kernel_stride(R5), R10
	MOVD kernel_offset(R5), R11
	MOVD kernel_reach(R5), R12
	MOVD kernel_none(R5), R14
	MOVD $0xFFFFFFFF, R13    // NoPlace
	CMP  $0, R3
	BLE  located

row:
	MOVWU.P 4(R2), R17
	AND  R17>>const_rowBits, R9, R16
	ADD  R16<<4, R8, R16
	MOVD (R16), R16
	AND  $const_rowMask, R17, R19
	MADD R10, R16, R19, R16
	ADD  R11, R16, R16
	CMP  R13, R17
	CSEL EQ, R14, R16, R16
	MOVD.P R16, 8(R0)
	PRFM (R16), PLDL2KEEP
	CBZ  R12, next
	ADD  R12, R16, R16
	PRFM (R16), PLDL2KEEP

next:
	SUBS $1, R3, R3
	BNE  row

located:
	RET

// Values from their addresses to side by side: a loop for each size.
#define GATHER(name, copy, size) \
TEXT name(SB), NOSPLIT, $0-24 \
	MOVD dst+0(FP), R0  \
	MOVD from+8(FP), R1 \
	MOVD n+16(FP), R2   \
	CMP  $0, R2         \
	BLE  gathered       \
row:                    \
	MOVD.P 8(R1), R3    \
	copy(R3, R0)        \
	ADD  $size, R0      \
	SUBS $1, R2, R2     \
	BNE  row            \
gathered:               \
	RET

// And back.
#define SCATTER(name, copy, size) \
TEXT name(SB), NOSPLIT, $0-24 \
	MOVD src+0(FP), R0  \
	MOVD to+8(FP), R1   \
	MOVD n+16(FP), R2   \
	CMP  $0, R2         \
	BLE  scattered      \
row:                    \
	MOVD.P 8(R1), R3    \
	copy(R0, R3)        \
	ADD  $size, R0      \
	SUBS $1, R2, R2     \
	BNE  row            \
scattered:              \
	RET

#define COPY4(from, to) \
	MOVWU (from), R4 \
	MOVW R4, (to)

#define COPY8(from, to) \
	MOVD (from), R4 \
	MOVD R4, (to)

#define COPY12(from, to) \
	MOVD (from), R4   \
	MOVWU 8(from), R5 \
	MOVD R4, (to)     \
	MOVW R5, 8(to)

#define COPY16(from, to) \
	LDP (from), (R4, R5) \
	STP (R4, R5), (to)

#define COPY32(from, to) \
	FLDPQ (from), (F0, F1) \
	FSTPQ (F0, F1), (to)

#define COPY64(from, to) \
	FLDPQ (from), (F0, F1)   \
	FLDPQ 32(from), (F2, F3) \
	FSTPQ (F0, F1), (to)     \
	FSTPQ (F2, F3), 32(to)

GATHER(·gather4, COPY4, 4)
GATHER(·gather8, COPY8, 8)
GATHER(·gather12, COPY12, 12)
GATHER(·gather16, COPY16, 16)
GATHER(·gather32, COPY32, 32)
GATHER(·gather64, COPY64, 64)

SCATTER(·scatter4, COPY4, 4)
SCATTER(·scatter8, COPY8, 8)
SCATTER(·scatter12, COPY12, 12)
SCATTER(·scatter16, COPY16, 16)
SCATTER(·scatter32, COPY32, 32)
SCATTER(·scatter64, COPY64, 64)

// func prefetch(from unsafe.Pointer, lines uintptr)
TEXT ·prefetch(SB), NOSPLIT, $0-16
	MOVD from+0(FP), R0
	MOVD lines+8(FP), R1
	CBZ  R1, asked

line:
	PRFM (R0), PLDL2KEEP
	ADD  $64, R0
	SUBS $1, R1
	BNE  line

asked:
	RET

// func prefetchRows(bits *uint64, n int, column unsafe.Pointer, stride uintptr)
TEXT ·prefetchRows(SB), NOSPLIT, $0-32
	MOVD bits+0(FP), R0
	MOVD n+8(FP), R1
	MOVD column+16(FP), R2
	MOVD stride+24(FP), R3
	LSL  $6, R3, R9

word:
	MOVD.P 8(R0), R4
	CBZ    R4, none

row:
	RBIT R4, R5
	CLZ  R5, R5
	MUL  R3, R5, R5
	ADD  R2, R5, R5
	PRFM (R5), PLDL2KEEP
	SUB  $1, R4, R6
	ANDS R6, R4, R4
	BNE  row

none:
	ADD  R9, R2
	SUBS $1, R1
	BNE  word
	RET
