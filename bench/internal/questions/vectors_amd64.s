#include "textflag.h"

DATA one<>+0(SB)/8, $1.0
DATA one<>+8(SB)/8, $1.0
GLOBL one<>(SB), RODATA|NOPTR, $16

// func raiseVectors(v []weight)
TEXT ·raiseVectors(SB), NOSPLIT, $0-24
	MOVQ  v_base+0(FP), AX
	MOVQ  v_len+8(FP), CX
	MOVUPD one<>(SB), X0
	MOVQ  CX, DX
	ANDQ  $3, DX
	SHRQ  $2, CX
	JZ    rest

four:
	MOVUPD (AX), X1
	MOVUPD 16(AX), X2
	ADDPD  X0, X1
	ADDPD  X0, X2
	MOVUPD X1, (AX)
	MOVUPD X2, 16(AX)
	ADDQ   $32, AX
	DECQ   CX
	JNZ    four

rest:
	TESTQ DX, DX
	JZ    done

single:
	MOVSD (AX), X1
	ADDSD X0, X1
	MOVSD X1, (AX)
	ADDQ  $8, AX
	DECQ  DX
	JNZ   single

done:
	RET
