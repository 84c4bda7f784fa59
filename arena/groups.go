package arena

import (
	"path"
	"slices"
	"strings"
)

// unified stands for the controller of the second version of control groups, which has one
// hierarchy. The first version has one for each controller, or for some of them together.
const unified = ""

// mount is where the groups of a hierarchy are shown.
type mount struct {
	top string // the group with its files in dir itself
	dir string
}

// The path of a group is not that of its files: they are where its hierarchy is mounted, and a container
// may see only a part of it.
//
//	/proc/self/cgroup      0::/user.slice/app              the group of the process
//	/proc/self/mountinfo   … /user.slice /sys/fs/cgroup … - cgroup2 …
//	                         └ top       └ dir             so its files are in /sys/fs/cgroup/app
//
// The limits of all groups around it hold as well. So all directories up to the mount are listed.

// groupDirs lists the directories of the process's group and of the groups around it, the nearest
// first, in the hierarchy that has a controller. in is the text of /proc/self/cgroup, mounts
// that of /proc/self/mountinfo. A directory may be missing: a mount may be hidden by another one.
func groupDirs(in, mounts, controller string) (dirs []string) {
	group := groupPath(in, controller)
	if group == "" {
		return nil
	}
	for _, m := range mountsOf(mounts, controller) {
		for _, dir := range upwards(m.dir, m.below(group)) {
			if !slices.Contains(dirs, dir) {
				dirs = append(dirs, dir)
			}
		}
	}
	return dirs
}

// groupPath finds the path of the process's group, or "".
func groupPath(text, controller string) (group string) {
	for line := range strings.Lines(text) {
		_, line, _ = strings.Cut(strings.TrimSuffix(line, "\n"), ":")
		controllers, dir, ok := strings.Cut(line, ":")
		if ok && strings.HasPrefix(dir, "/") && has(controllers, controller) {
			group = dir
		}
	}
	return group
}

// mountsOf finds where a hierarchy is mounted: the usual place, if the text names none.
func mountsOf(text, controller string) (found []mount) {
	kind, usual := "cgroup", mount{"/", "sys/fs/cgroup/" + controller}
	if controller == unified {
		kind, usual = "cgroup2", mount{"/", "sys/fs/cgroup"}
	}
	for line := range strings.Lines(text) {
		place, what, _ := strings.Cut(line, " - ")
		p, w := strings.Fields(place), strings.Fields(what)
		if len(p) < 5 || len(w) < 3 || w[0] != kind || controller != unified && !has(w[2], controller) {
			continue
		}
		found = append(found, mount{p[3], strings.TrimPrefix(p[4], "/")})
	}
	if found == nil {
		found = []mount{usual}
	}
	return found
}

// has tells whether a word is in a list with commas.
func has(list, word string) bool { return slices.Contains(strings.Split(list, ","), word) }

// below is a group as seen from the mount's own one, if it lies there, and otherwise that one.
func (m mount) below(group string) string {
	if m.top == "/" {
		return group
	}
	if rest, ok := strings.CutPrefix(group, m.top); ok && (rest == "" || rest[0] == '/') {
		return "/" + rest
	}
	return "/"
}

// upwards lists the directories of a group and of the groups around it, the nearest first. In a
// container the path may be one that its mount does not show; the mount itself is the last.
func upwards(mount, dir string) (dirs []string) {
	for dir = path.Clean(dir); strings.HasPrefix(dir, "/"); dir = path.Dir(dir) {
		dirs = append(dirs, path.Join(mount, dir))
		if dir == "/" {
			break
		}
	}
	return dirs
}
