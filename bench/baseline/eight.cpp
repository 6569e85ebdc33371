// Eight II by textbook IDA*: the baseline of bench/run.sh and the oracle of
// testdata/eight.
//
//   c++ -std=c++17 -O2 -o eight eight.cpp
//   ./eight [--counts] [--prune inverse|none] < INPUT
//
// It reads the judge's input and prints the judge's output; with --counts a CSV
// of what the search did. It is as plain as a good solution for the judge: an
// array of nine cells, the blank swapped forth and back, Manhattan distance
// summed up anew at each state.

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

//  0 1 2
//  3 4 5
//  6 7 8

// The moves of the blank in dictionary order: d l r u. Where it comes to from
// each cell, or -1.
constexpr int kTo[4][9] = {
    {3, 4, 5, 6, 7, 8, -1, -1, -1},  // d
    {-1, 0, 1, -1, 3, 4, -1, 6, 7},  // l
    {1, 2, -1, 4, 5, -1, 7, 8, -1},  // r
    {-1, -1, -1, 0, 1, 2, 3, 4, 5},  // u
};
constexpr int kInverse[4] = {3, 2, 1, 0};

enum class Prune { kNone, kInverse };

constexpr int kMaxDepth = 64;  // no pair is farther apart than 31 moves

int board[9];        // the tile on each cell; 0 is the blank
int distance[9][9];  // [tile][cell]: from the cell to the tile's place in the goal
int path[kMaxDepth];
int bound, next_bound;
long long expanded, generated;

int manhattan() {
  int sum = 0;
  for (int cell = 0; cell < 9; cell++) sum += distance[board[cell]][cell];
  return sum;
}

// Searches below the board as it is, g moves from the start, with the blank on
// the given cell. When it returns true, the solution is on the path.
template <Prune prune>
bool search(int g, int blank, int* depth) {
  int h = manhattan();
  if (g + h > bound) {
    next_bound = std::min(next_bound, g + h);
    return false;
  }
  if (h == 0) {
    *depth = g;
    return true;
  }
  expanded++;
  for (int m = 0; m < 4; m++) {
    int to = kTo[m][blank];
    if (to < 0) continue;
    if (prune == Prune::kInverse && g > 0 && path[g - 1] == kInverse[m]) continue;
    generated++;
    std::swap(board[blank], board[to]);
    path[g] = m;
    if (search<prune>(g + 1, to, depth)) return true;
    std::swap(board[blank], board[to]);
  }
  return false;
}

// Whether the number of pairs of tiles in the wrong order is odd. A move of the
// blank along a row changes none, one along a column passes two tiles: the
// parity stays.
bool odd(const int* cells) {
  bool result = false;
  for (int i = 0; i < 9; i++)
    for (int j = i + 1; j < 9; j++)
      if (cells[j] != 0 && cells[i] > cells[j]) result = !result;
  return result;
}

bool read_board(int* cells) {
  for (int i = 0; i < 9; i++) {
    char c;
    if (std::scanf(" %c", &c) != 1) return false;
    cells[i] = c == 'X' || c == 'x' ? 0 : c - '0';
    if (cells[i] < 0 || cells[i] > 8) {
      std::fprintf(stderr, "eight: tile %c, want 1 to 8 or X\n", c);
      std::exit(1);
    }
  }
  return true;
}

template <Prune prune>
void solve_all(bool counts) {
  int cases = 0;
  if (std::scanf("%d", &cases) != 1) return;
  if (counts) std::puts("case,depth,moves,symbol,iterations,expanded,generated");
  int goal[9];
  for (int number = 1; number <= cases && read_board(board) && read_board(goal); number++) {
    if (odd(board) != odd(goal)) {
      std::printf(counts ? "%d,,,,,,\n" : "Case %d: -1\nunsolvable\n", number);
      continue;
    }
    for (int place = 0; place < 9; place++)
      for (int cell = 0; cell < 9; cell++)
        distance[goal[place]][cell] =
            goal[place] == 0 ? 0 : std::abs(cell / 3 - place / 3) + std::abs(cell % 3 - place % 3);
    int blank = static_cast<int>(std::find(board, board + 9, 0) - board);
    int depth = 0, iterations = 1;
    expanded = generated = 0;
    bound = manhattan();
    next_bound = INT_MAX;
    while (!search<prune>(0, blank, &depth)) {
      bound = next_bound;
      next_bound = INT_MAX;
      iterations++;
    }
    char moves[kMaxDepth + 1] = {};
    for (int i = 0; i < depth; i++) moves[i] = "dlru"[path[i]];
    if (counts) {
      std::printf("%d,%d,%s,,%d,%lld,%lld\n", number, depth, moves, iterations, expanded, generated);
    } else {
      std::printf("Case %d: %d\n%s\n", number, depth, moves);
    }
  }
}

int main(int argc, char** argv) {
  bool counts = false;
  const char* prune = "inverse";
  for (int i = 1; i < argc; i++) {
    if (!std::strcmp(argv[i], "--counts")) {
      counts = true;
    } else if (!std::strcmp(argv[i], "--prune") && i + 1 < argc) {
      prune = argv[++i];
    } else {
      prune = "";
      break;
    }
  }
  if (!std::strcmp(prune, "inverse")) {
    solve_all<Prune::kInverse>(counts);
  } else if (!std::strcmp(prune, "none")) {
    solve_all<Prune::kNone>(counts);
  } else {
    std::fputs("usage: eight [--counts] [--prune inverse|none] < INPUT\n", stderr);
    return 2;
  }
}
