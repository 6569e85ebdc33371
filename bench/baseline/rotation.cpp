// The Rotation Game by textbook IDA*: the baseline of bench/run.sh and the
// oracle of testdata/rotation.
//
//   c++ -std=c++17 -O2 -o rotation rotation.cpp
//   ./rotation [--counts] [--prune inverse|canonical|none] < INPUT
//
// It reads the judge's input and prints the judge's output; with --counts a CSV
// of what the search did. It is as plain as a good solution for the judge: an
// array of 24 cells, turns as cycles of cells, undone after the recursion. The
// heuristic is 8 minus the count of the most frequent symbol in the center:
// a turn brings one new block into the center.

#include <algorithm>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

//           A     B
//           0     1
//           2     3
//  H  4  5  6  7  8  9 10  C
//          11    12
//  G 13 14 15 16 17 18 19  D
//          20    21
//          22    23
//           F     E

// The cells of the line that each letter turns, its head first: every cell
// takes the value of the next one, the last that of the head.
constexpr int kLine[8][7] = {
    {0, 2, 6, 11, 15, 20, 22},     // A
    {1, 3, 8, 12, 17, 21, 23},     // B
    {10, 9, 8, 7, 6, 5, 4},        // C
    {19, 18, 17, 16, 15, 14, 13},  // D
    {23, 21, 17, 12, 8, 3, 1},     // E
    {22, 20, 15, 11, 6, 2, 0},     // F
    {13, 14, 15, 16, 17, 18, 19},  // G
    {4, 5, 6, 7, 8, 9, 10},        // H
};
constexpr int kInverse[8] = {5, 4, 7, 6, 1, 0, 3, 2};
constexpr bool kColumn[8] = {true, true, false, false, true, true, false, false};
constexpr int kCenter[8] = {6, 7, 8, 11, 12, 15, 16, 17};

enum class Prune { kNone, kInverse, kCanonical };

constexpr int kMaxDepth = 32;  // no board is farther than 14 turns

std::int8_t board[24];
int path[kMaxDepth];
int bound, next_bound;
long long expanded, generated;

void turn(int m) {
  const int* line = kLine[m];
  std::int8_t head = board[line[0]];
  for (int i = 0; i < 6; i++) board[line[i]] = board[line[i + 1]];
  board[line[6]] = head;
}

int heuristic() {
  int count[4] = {};
  for (int cell : kCenter) count[board[cell]]++;
  return 8 - std::max({count[1], count[2], count[3]});
}

// Whether turn m may follow the g turns on the path.
template <Prune prune>
bool allowed(int g, int m) {
  if (prune == Prune::kNone || g == 0) return true;
  if (prune == Prune::kInverse) return path[g - 1] != kInverse[m];
  // Turns of parallel lines commute: of all orders of an unbroken run of them,
  // the ascending one is left. No line turns both ways in it, and none more
  // than three times: four turns one way are three the other.
  int times = 0;
  for (int i = g - 1; i >= 0 && kColumn[path[i]] == kColumn[m]; i--) {
    if (path[i] > m || path[i] == kInverse[m]) return false;
    if (path[i] == m && ++times == 3) return false;
  }
  return true;
}

// Searches below the board as it is, g turns from the start. When it returns
// true, the solution is on the path and the board is solved.
template <Prune prune>
bool search(int g, int* depth) {
  int h = heuristic();
  if (g + h > bound) {
    next_bound = std::min(next_bound, g + h);
    return false;
  }
  if (h == 0) {
    *depth = g;
    return true;
  }
  expanded++;
  for (int m = 0; m < 8; m++) {
    if (!allowed<prune>(g, m)) continue;
    generated++;
    turn(m);
    path[g] = m;
    if (search<prune>(g + 1, depth)) return true;
    turn(kInverse[m]);
  }
  return false;
}

// Reads 24 symbols. Returns false where none or a 0 follows.
bool read_board() {
  for (std::int8_t& cell : board) {
    char c;
    if (std::scanf(" %c", &c) != 1 || c == '0') return false;
    if (c < '1' || c > '3') {
      std::fprintf(stderr, "rotation: symbol %c, want 1, 2 or 3\n", c);
      std::exit(1);
    }
    cell = static_cast<std::int8_t>(c - '0');
  }
  return true;
}

template <Prune prune>
void solve_all(bool counts) {
  if (counts) std::puts("case,depth,moves,symbol,iterations,expanded,generated");
  for (int number = 1; read_board(); number++) {
    int depth = 0, iterations = 1;
    expanded = generated = 0;
    bound = heuristic();
    next_bound = INT_MAX;
    while (!search<prune>(0, &depth)) {
      bound = next_bound;
      next_bound = INT_MAX;
      iterations++;
    }
    char moves[kMaxDepth + 1] = {};
    for (int i = 0; i < depth; i++) moves[i] = "ABCDEFGH"[path[i]];
    int symbol = board[kCenter[0]];
    if (counts) {
      std::printf("%d,%d,%s,%d,%d,%lld,%lld\n", number, depth, moves, symbol,
                  iterations, expanded, generated);
    } else {
      std::printf("%s\n%d\n", depth ? moves : "No moves needed", symbol);
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
  } else if (!std::strcmp(prune, "canonical")) {
    solve_all<Prune::kCanonical>(counts);
  } else if (!std::strcmp(prune, "none")) {
    solve_all<Prune::kNone>(counts);
  } else {
    std::fputs("usage: rotation [--counts] [--prune inverse|canonical|none] < INPUT\n", stderr);
    return 2;
  }
}
