package referee

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// TellsMemory is whether this system tells how much memory a command takes.
const TellsMemory = true

// isolate gives a command a process group of its own, and ends it when we end.
func isolate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// end ends the process and all its children: its group, and then those that
// have left the group, as daemons do, but still carry the mark. It looks again
// until it finds none, for they may fork meanwhile.
func (p *process) end() {
	syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) // there may be none left
	mark := []byte(p.mark + "\x00")
	for range 100 {
		found := false
		names, _ := os.ReadDir("/proc")
		for _, name := range names {
			pid, err := strconv.Atoi(name.Name())
			if err != nil {
				continue // no process
			}
			environment, _ := os.ReadFile("/proc/" + name.Name() + "/environ") // gone or somebody else's: empty
			if bytes.Contains(environment, mark) && syscall.Kill(pid, syscall.SIGKILL) == nil {
				found = true
			}
		}
		if !found {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// memory is the most that the process, or one of its children that live, has
// had resident so far.
func (p *process) memory() int64 { return memoryOf(strconv.Itoa(p.cmd.Process.Pid)) }

func memoryOf(pid string) (most int64) {
	status, _ := os.ReadFile("/proc/" + pid + "/status") // gone: no memory
	if _, rest, ok := strings.Cut(string(status), "\nVmHWM:"); ok {
		kB, _, _ := strings.Cut(rest, " kB")
		n, _ := strconv.ParseInt(strings.TrimSpace(kB), 10, 64)
		most = n << 10
	}
	lists, _ := filepath.Glob("/proc/" + pid + "/task/*/children")
	for _, list := range lists {
		children, _ := os.ReadFile(list)
		for child := range strings.FieldsSeq(string(children)) {
			most = max(most, memoryOf(child))
		}
	}
	return most
}

// peak is the most that an ended process has had resident, as far as the system
// tells: it counts from before the exec, when a process still shares our own
// memory, so less than we have had ourselves says nothing.
func peak(state *os.ProcessState) int64 {
	theirs := state.SysUsage().(*syscall.Rusage).Maxrss
	var ours syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &ours) != nil || theirs <= ours.Maxrss {
		return 0
	}
	return theirs << 10
}
