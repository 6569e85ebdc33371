//go:build unix && !linux

package referee

import (
	"os"
	"os/exec"
	"runtime"
	"syscall"
)

// TellsMemory is whether this system tells how much memory a command takes.
const TellsMemory = true

// isolate gives a command a process group of its own.
func isolate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// end ends the process and its children, but for those that have left its
// group.
func (p *process) end() {
	syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) // there may be none left
}

// memory is not known while the process runs.
func (p *process) memory() int64 { return 0 }

// peak is the most that an ended process has had resident.
func peak(state *os.ProcessState) int64 {
	most := int64(state.SysUsage().(*syscall.Rusage).Maxrss)
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return most
	}
	return most << 10
}
