//go:build linux

package arena

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// sysReserve maps pages that can't be touched, so that nothing is accounted for them where the kernel
// does not overcommit.
func sysReserve(bytes uintptr) (unsafe.Pointer, error) {
	return unix.MmapPtr(-1, 0, nil, bytes, unix.PROT_NONE, unix.MAP_ANON|unix.MAP_PRIVATE)
}

// sysCommit makes pages usable in place. Their mapping joins that of usable pages beside them.
func sysCommit(p unsafe.Pointer, bytes uintptr) error {
	return unix.Mprotect(unsafe.Slice((*byte)(p), bytes), unix.PROT_READ|unix.PROT_WRITE)
}

func sysAdviseHuge(p unsafe.Pointer, bytes uintptr) error {
	return unix.Madvise(unsafe.Slice((*byte)(p), bytes), unix.MADV_HUGEPAGE)
}

func sysAdviseSmall(p unsafe.Pointer, bytes uintptr) error {
	return unix.Madvise(unsafe.Slice((*byte)(p), bytes), unix.MADV_NOHUGEPAGE)
}

// sysPurge gives pages back; private anonymous memory reads as zero afterwards.
func sysPurge(p unsafe.Pointer, bytes uintptr) error {
	return unix.Madvise(unsafe.Slice((*byte)(p), bytes), unix.MADV_DONTNEED)
}

// sysDecommit purges first: unusable pages would stay resident.
func sysDecommit(p unsafe.Pointer, bytes uintptr) error {
	if err := sysPurge(p, bytes); err != nil {
		return err
	}
	return unix.Mprotect(unsafe.Slice((*byte)(p), bytes), unix.PROT_NONE)
}

func sysRelease(p unsafe.Pointer, bytes uintptr) error { return unix.MunmapPtr(p, bytes) }

// sysResident counts the resident bytes of [p, p+bytes) with mincore.
func sysResident(p unsafe.Pointer, bytes uintptr) (n uint64, err error) {
	page := uintptr(unix.Getpagesize())
	vec := make([]byte, bytes/page)
	if err := sysPresent(p, vec); err != nil {
		return 0, err
	}
	for _, v := range vec {
		n += uint64(v&1) * uint64(page)
	}
	return n, nil
}

// sysPresent sets the low bit of a byte a page where the page is resident.
func sysPresent(p unsafe.Pointer, pages []byte) error {
	if len(pages) == 0 {
		return nil
	}
	bytes := uintptr(len(pages) * unix.Getpagesize())
	if _, _, e := unix.Syscall(unix.SYS_MINCORE, uintptr(p), bytes, uintptr(unsafe.Pointer(&pages[0]))); e != 0 {
		return e
	}
	return nil
}
