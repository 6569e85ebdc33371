package registry

import (
	"strings"
	"testing"

	"idabatch/internal/solver"
	"idabatch/internal/solver/solvertest"
)

func TestSuite(t *testing.T) {
	for _, p := range All {
		t.Run(p.Name, func(t *testing.T) { solvertest.Suite(t, p) })
	}
}

func TestLookup(t *testing.T) {
	for _, p := range All {
		if Lookup(p.Name) != p {
			t.Errorf("Lookup(%q) finds another", p.Name)
		}
	}
	if Lookup("nine") != nil {
		t.Error(`Lookup("nine") finds something`)
	}
}

func TestDetect(t *testing.T) {
	for text, want := range map[string]string{
		"12X453786\n12345678X\n":            "eight",
		"\n \n 1 2 x 4 5 3 7 8 6\n":         "eight",
		"2\n12X453786\n12345678X\n":         "eight",
		"123456780\n":                       "eight", // 0 is a blank, too
		"":                                  "rotation",
		"\n\n":                              "rotation",
		"0":                                 "rotation",
		"0\n":                               "rotation",
		"5\n":                               "rotation",
		"5\nhello\n":                        "rotation",
		"111133222332233222331111\n":        "rotation", // a number, but of 24 digits
		"1 1 1 1 3 3 2 2 2 3 3 2 2 3 3 2\n": "rotation",
		"12X45378\n12345678X\n":             "rotation", // its first line is no permutation
	} {
		if p := Detect(solver.NewScanner(strings.NewReader(text))); p.Name != want {
			t.Errorf("%q is %s, want %s", text, p.Name, want)
		}
	}
}
