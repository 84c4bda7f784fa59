//go:build windows

package arena

import (
	"errors"
	"unsafe"

	"golang.org/x/sys/windows"
)

func sysReserve(bytes uintptr) (unsafe.Pointer, error) {
	addr, err := windows.VirtualAlloc(0, bytes, windows.MEM_RESERVE, windows.PAGE_NOACCESS)
	// The address is not the collector's; read it as a pointer where it stands.
	return *(*unsafe.Pointer)(unsafe.Pointer(&addr)), err
}

func sysCommit(p unsafe.Pointer, bytes uintptr) error {
	_, err := windows.VirtualAlloc(uintptr(p), bytes, windows.MEM_COMMIT, windows.PAGE_READWRITE)
	return err
}

// sysAdviseHuge does nothing: large pages need a privilege and pinned memory.
func sysAdviseHuge(unsafe.Pointer, uintptr) error { return nil }

func sysAdviseSmall(unsafe.Pointer, uintptr) error { return nil }

// sysPurge decommits and commits again: committed memory starts as zero.
func sysPurge(p unsafe.Pointer, bytes uintptr) error {
	if err := sysDecommit(p, bytes); err != nil {
		return err
	}
	return sysCommit(p, bytes)
}

func sysDecommit(p unsafe.Pointer, bytes uintptr) error {
	return windows.VirtualFree(uintptr(p), bytes, windows.MEM_DECOMMIT)
}

func sysRelease(p unsafe.Pointer, _ uintptr) error {
	return windows.VirtualFree(uintptr(p), 0, windows.MEM_RELEASE)
}

func sysResident(unsafe.Pointer, uintptr) (uint64, error) { return 0, errors.ErrUnsupported }

func sysPresent(unsafe.Pointer, []byte) error { return errors.ErrUnsupported }
