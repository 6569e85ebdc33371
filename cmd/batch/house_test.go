package main

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// imports is the table of what may import what of ours, tests apart.
var imports = map[string][]string{
	"internal/solver":            {},
	"internal/solver/solvertest": {"internal/solver"},
	"internal/solver/rotation":   {"internal/solver"},
	"internal/solver/eight":      {"internal/solver"},
	"internal/solver/registry":   {"internal/solver", "internal/solver/rotation", "internal/solver/eight"},
	"internal/pipeline":          {"internal/solver"},
	"internal/report":            {"internal/solver"},
	"internal/referee":           {"internal/solver"},
	"cmd/batch":                  {"internal/solver", "internal/solver/registry", "internal/pipeline", "internal/report", "internal/referee"},
	"bench/measure":              {},
}

type goPackage struct {
	ImportPath, Dir string
	Imports         []string
	GoFiles         []string
}

func packages(t *testing.T) (all []goPackage) {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Dir,Imports,GoFiles", "idabatch/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p goPackage
		if err := d.Decode(&p); err == io.EOF {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

func TestImports(t *testing.T) {
	for _, p := range packages(t) {
		name := strings.TrimPrefix(p.ImportPath, "idabatch/")
		allowed, ok := imports[name]
		if !ok && len(p.GoFiles) > 0 && !strings.Contains(name, "testdata") {
			t.Errorf("%s is not in the table of imports", name)
		}
		for _, i := range p.Imports {
			if ours, ok := strings.CutPrefix(i, "idabatch/"); ok && !slices.Contains(allowed, ours) {
				t.Errorf("%s imports %s", name, ours)
			}
			if i == "github.com/schollz/progressbar/v3" && name != "internal/report" {
				t.Errorf("%s imports %s", name, i)
			}
		}
	}
}

// TestSolversAreQuiet: below internal/solver there is no goroutine, clock,
// unseeded random number or printing.
func TestSolversAreQuiet(t *testing.T) {
	files := 0
	for _, p := range packages(t) {
		if !strings.HasPrefix(p.ImportPath, "idabatch/internal/solver") || strings.HasSuffix(p.ImportPath, "/solvertest") {
			continue
		}
		for _, i := range p.Imports {
			if slices.Contains([]string{"time", "os", "log", "log/slog", "math/rand", "crypto/rand", "runtime", "syscall"}, i) {
				t.Errorf("%s imports %s", p.ImportPath, i)
			}
		}
		for _, name := range p.GoFiles {
			files++
			fset := token.NewFileSet()
			f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.GoStmt:
					t.Errorf("%s: a goroutine", fset.Position(n.Pos()))
				case *ast.SelectorExpr:
					x, ok := n.X.(*ast.Ident)
					if ok && x.Name == "fmt" && strings.Contains(strings.ToLower(n.Sel.Name), "print") && !strings.HasPrefix(n.Sel.Name, "S") {
						t.Errorf("%s: prints", fset.Position(n.Pos()))
					}
					// Of math/rand/v2, only generators that are given a seed.
					if ok && x.Name == "rand" && !strings.HasPrefix(n.Sel.Name, "New") && n.Sel.Name != "PCG" && n.Sel.Name != "Rand" {
						t.Errorf("%s: rand.%s", fset.Position(n.Pos()), n.Sel.Name)
					}
				case *ast.CallExpr:
					if f, ok := n.Fun.(*ast.Ident); ok && (f.Name == "print" || f.Name == "println") {
						t.Errorf("%s: prints", fset.Position(n.Pos()))
					}
				}
				return true
			})
		}
	}
	if files < 10 {
		t.Errorf("only %d files looked at", files)
	}
}
