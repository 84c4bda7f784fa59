//go:build !linux && !darwin && !windows

package arena

import (
	"errors"
	"unsafe"
)

func sysReserve(uintptr) (unsafe.Pointer, error)          { return nil, errors.ErrUnsupported }
func sysCommit(unsafe.Pointer, uintptr) error             { return errors.ErrUnsupported }
func sysAdviseHuge(unsafe.Pointer, uintptr) error         { return errors.ErrUnsupported }
func sysAdviseSmall(unsafe.Pointer, uintptr) error        { return errors.ErrUnsupported }
func sysPurge(unsafe.Pointer, uintptr) error              { return errors.ErrUnsupported }
func sysDecommit(unsafe.Pointer, uintptr) error           { return errors.ErrUnsupported }
func sysRelease(unsafe.Pointer, uintptr) error            { return errors.ErrUnsupported }
func sysResident(unsafe.Pointer, uintptr) (uint64, error) { return 0, errors.ErrUnsupported }

func sysPresent(unsafe.Pointer, []byte) error { return errors.ErrUnsupported }
