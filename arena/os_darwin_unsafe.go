//go:build darwin

package arena

import (
	"errors"
	"unsafe"

	"golang.org/x/sys/unix"
)

func sysReserve(bytes uintptr) (unsafe.Pointer, error) {
	return unix.MmapPtr(-1, 0, nil, bytes, unix.PROT_NONE, unix.MAP_ANON|unix.MAP_PRIVATE|unix.MAP_NORESERVE)
}

func sysCommit(p unsafe.Pointer, bytes uintptr) error {
	return unix.Mprotect(unsafe.Slice((*byte)(p), bytes), unix.PROT_READ|unix.PROT_WRITE)
}

// sysAdviseHuge does nothing: darwin has no advice for huge pages.
func sysAdviseHuge(unsafe.Pointer, uintptr) error { return nil }

func sysAdviseSmall(unsafe.Pointer, uintptr) error { return nil }

// sysPurge maps fresh pages over the old ones: MADV_FREE would let old contents
// come back, and purged memory has to read as zero.
func sysPurge(p unsafe.Pointer, bytes uintptr) error {
	_, err := unix.MmapPtr(-1, 0, p, bytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE|unix.MAP_FIXED)
	return err
}

func sysDecommit(p unsafe.Pointer, bytes uintptr) error {
	_, err := unix.MmapPtr(-1, 0, p, bytes, unix.PROT_NONE, unix.MAP_ANON|unix.MAP_PRIVATE|unix.MAP_FIXED|unix.MAP_NORESERVE)
	return err
}

func sysRelease(p unsafe.Pointer, bytes uintptr) error { return unix.MunmapPtr(p, bytes) }

func sysResident(unsafe.Pointer, uintptr) (uint64, error) { return 0, errors.ErrUnsupported }

func sysPresent(unsafe.Pointer, []byte) error { return errors.ErrUnsupported }
