// Command contestant solves the Rotation Game as a contestant might, and goes
// wrong in the way that its argument names. It shares no code with the engine.
package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// lines are the cells of the moves A to H, from the one at the letter.
var lines = [8][7]int{
	{0, 2, 6, 11, 15, 20, 22},
	{1, 3, 8, 12, 17, 21, 23},
	{10, 9, 8, 7, 6, 5, 4},
	{19, 18, 17, 16, 15, 14, 13},
	{23, 21, 17, 12, 8, 3, 1},
	{22, 20, 15, 11, 6, 2, 0},
	{13, 14, 15, 16, 17, 18, 19},
	{4, 5, 6, 7, 8, 9, 10},
}

var center = [8]int{6, 7, 8, 11, 12, 15, 16, 17}

type board [24]int

func (b board) turn(m int) board {
	next := b
	for i, cell := range lines[m] {
		next[cell] = b[lines[m][(i+1)%7]]
	}
	return next
}

// left is how many blocks of one of the symbols are not yet in the center.
func (b board) left(symbols ...int) int {
	least := 8
	for _, symbol := range symbols {
		n := 8
		for _, cell := range center {
			if b[cell] == symbol {
				n--
			}
		}
		least = min(least, n)
	}
	return least
}

// search is iterative deepening.
func (b board) search() string {
	for bound := 0; ; bound++ {
		if path, ok := b.within(bound, "", []int{1, 2, 3}); ok {
			return path
		}
	}
}

func (b board) within(bound int, path string, symbols []int) (string, bool) {
	left := b.left(symbols...)
	if left == 0 {
		return path, true
	}
	if left > bound {
		return "", false
	}
	for m := range lines {
		if found, ok := b.turn(m).within(bound-1, path+string(rune('A'+m)), symbols); ok {
			return found, true
		}
	}
	return "", false
}

func main() {
	mode := os.Args[1]
	if mode == "child" {
		child()
	}
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	in := bufio.NewReader(os.Stdin)
	switch mode {
	case "endless":
		for {
		}
	case "waits-for-child":
		fork(false).Wait()
	case "leaves-child":
		fork(false)
	case "leaves-daemon":
		fork(true)
	case "floods":
		for {
			fmt.Fprintln(out, "ABCDEFGH")
		}
	case "floods-stderr":
		fmt.Fprint(os.Stderr, strings.Repeat("no answer here\n", 100000))
	case "eats-memory":
		var all [][]byte
		for range 1000 { // a bound, for nothing may stop us
			piece := make([]byte, 1<<20)
			for i := range piece {
				piece[i] = 1
			}
			all = append(all, piece)
			time.Sleep(time.Millisecond)
		}
		fmt.Fprintln(out, len(all))
	case "does-not-read":
		return
	}

	solvedBefore := false
	for n := 1; ; n++ {
		var b board
		for i := range b {
			if fmt.Fscan(in, &b[i]); b[0] == 0 {
				if mode == "one-more" {
					fmt.Fprint(out, "No moves needed\n0\n")
				}
				if mode == "fails-at-last" {
					out.Flush()
					os.Exit(7)
				}
				return
			}
		}
		if mode == "crashes" && n == 17 {
			out.Flush()
			panic("the 17th case")
		}
		if mode == "signal" {
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
		}

		moves := b.search()
		switch {
		case mode == "lowest-symbol":
			for symbol := 3; symbol >= 1; symbol-- {
				if found, ok := b.within(len(moves), "", []int{symbol}); ok {
					moves = found
				}
			}
		case mode == "longer":
			moves = "AF" + moves
		case mode == "wrong-from-3" && len(moves) >= 3:
			moves = moves[1:]
		case mode == "wrong-after-solved" && solvedBefore && moves != "":
			moves = moves[1:]
		}
		solvedBefore = moves == ""

		end := b
		for _, m := range moves {
			end = end.turn(int(m - 'A'))
		}
		symbol := end[center[0]]
		switch mode {
		case "wrong-symbol":
			symbol = symbol%3 + 1
		case "lower-case":
			moves = strings.ToLower(moves)
		}
		if moves == "" && mode != "forgets-no-moves" {
			moves = "No moves needed"
		}
		if mode == "trailing-blanks" {
			moves += " \t"
		}
		fmt.Fprintf(out, "%s\n%d", moves, symbol)
		switch mode {
		case "no-last-newline":
			if rest, _ := in.Peek(3); string(rest) == "\n0\n" {
				return
			}
		case "trailing-blanks":
			fmt.Fprint(out, "  \r")
		case "first-only":
			return
		case "blank-lines":
			fmt.Fprintln(out)
		}
		fmt.Fprintln(out)
	}
}

// fork starts a child that never ends, and returns when it is at home.
func fork(daemon bool) *exec.Cmd {
	home, door, err := os.Pipe()
	must(err)
	c := exec.Command(os.Args[0], "child")
	c.Stdout, c.Stderr = os.Stdout, os.Stderr // to hold them
	c.ExtraFiles = []*os.File{door}
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: daemon}
	must(c.Start())
	door.Close()
	home.Read(make([]byte, 1)) // until the child has closed its door
	return c
}

// child holds a connection to the test for as long as it lives.
func child() {
	_, err := net.Dial("tcp", os.Getenv("CONTESTANT_HOME"))
	must(err)
	os.NewFile(3, "door").Close()
	select {}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
