#!/usr/bin/env python3
"""Make the frozen oracles: testdata/PUZZLE/oracle.txt and oracle.csv.

    python3 bench/baseline/oracle.py

The boards are drawn here, the counts are the textbook search's (rotation.cpp
and eight.cpp, built with c++), and the moves of every case are confirmed by
breadth-first search over the whole state space, before a file is written.
Nothing of the engine takes part.

oracle.txt is in the judge's format. In oracle.csv, fields are empty where a
case has no solution, and the counts of a pruning where they would take long.
"""

import csv
import random
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
TESTDATA = HERE.parent.parent / "testdata"
FIELDS = "iterations", "expanded", "generated"

# ---- The Rotation Game ----

CENTER = 6, 7, 8, 11, 12, 15, 16, 17
LEFT, RIGHT = (0, 2, 6, 11, 15, 20, 22), (1, 3, 8, 12, 17, 21, 23)
UPPER, LOWER = (4, 5, 6, 7, 8, 9, 10), (13, 14, 15, 16, 17, 18, 19)
LINES = {  # head first
    "A": LEFT, "B": RIGHT, "C": UPPER[::-1], "D": LOWER[::-1],
    "E": RIGHT[::-1], "F": LEFT[::-1], "G": LOWER, "H": UPPER,
}

KNOWN_BOARDS = """
111132323132231222312133 111111112222222233333333 111133222332233222331111
322222112112111321333333 332132231131223213321211 113321312332223223321111
112323121232323131232311
""".split()


def turn(board, letter):
    after, line = list(board), LINES[letter]
    for to, source in zip(line, line[1:] + line[:1]):
        after[to] = board[source]
    return "".join(after)


def shuffled(rng, symbols):
    return "".join(rng.sample(symbols, len(symbols)))


def heuristic(board):
    center = [board[cell] for cell in CENTER]
    return 8 - max(map(center.count, "123"))


def rotation_boards(rng):
    uniform = [shuffled(rng, "123" * 8) for _ in range(310)]
    traps = []  # every turn raises h: the second bound is two above the first
    while len(traps) < 10:
        board = shuffled(rng, "123" * 8)
        if min(heuristic(turn(board, letter)) for letter in LINES) > heuristic(board):
            traps.append(board)
    scrambled = []
    for i in range(50):
        center = rng.choice("123")
        rest = iter(shuffled(rng, "123".replace(center, "") * 8))
        board = "".join(center if cell in CENTER else next(rest) for cell in range(24))
        for _ in range(1 + i % 8):
            board = turn(board, rng.choice("ABCDEFGH"))
        scrambled.append(board)
    return uniform + traps, scrambled


def placement_distances():
    """From every placement of one symbol, a set of cells as bits, to the center."""
    # What a turn makes of each of the three bytes of a placement.
    tables = []
    for letter in LINES:
        lands = list(range(24))
        for to, source in zip(LINES[letter], LINES[letter][1:] + LINES[letter][:1]):
            lands[source] = to
        tables.append([
            [sum(1 << lands[8 * k + bit] for bit in range(8) if byte >> bit & 1) for byte in range(256)]
            for k in range(3)
        ])
    start = sum(1 << cell for cell in CENTER)
    distance, layer = {start: 0}, [start]
    while layer:
        following = []
        for mask in layer:
            for low, middle, high in tables:
                after = low[mask & 255] | middle[mask >> 8 & 255] | high[mask >> 16]
                if after not in distance:
                    distance[after] = distance[mask] + 1
                    following.append(after)
        layer = following
    return distance


def check_rotation(boards, rows):
    distance = placement_distances()
    assert len(distance) == 735471 and max(distance.values()) == 14

    def remaining(board):
        return min(distance[sum(1 << i for i in range(24) if board[i] == s)] for s in "123")

    for board, row in zip(boards, rows):
        depth, moves = remaining(board), ""
        for left in range(depth - 1, -1, -1):
            letter = next(x for x in LINES if remaining(turn(board, x)) == left)
            board, moves = turn(board, letter), moves + letter
        assert (row["depth"], row["moves"], row["symbol"]) == (str(depth), moves, board[6]), row


# ---- Eight II ----

STEPS = {"d": 3, "l": -1, "r": 1, "u": -3}

KNOWN_PAIRS = [tuple(pair.split("/")) for pair in """
12X453786/12345678X 564178X23/7568X4123 48X375621/12345678X
12345678X/12345678X 812X43765/12345678X 1348X2765/12345678X
""".split()]


def odd(board):
    tiles = board.replace("X", "")
    return sum(tiles[i] > tiles[j] for j in range(8) for i in range(j)) % 2


def slide(board, letter):
    """The board after a move, or None."""
    blank = board.index("X")
    to = blank + STEPS[letter]
    if not 0 <= to < 9 or (letter in "lr" and to // 3 != blank // 3):
        return None
    cells = list(board)
    cells[blank], cells[to] = cells[to], cells[blank]
    return "".join(cells)


def pair(rng, blank, solvable=True):
    """A uniform start, and a goal with the blank on the given cell."""
    start, goal = shuffled(rng, "12345678X"), shuffled(rng, "12345678")
    goal = goal[:blank] + "X" + goal[blank:]
    if (odd(start) == odd(goal)) != solvable:
        start = start.translate(str.maketrans("12", "21"))
    return start, goal


def eight_pairs(rng):
    pairs = list(KNOWN_PAIRS)
    for i in range(36):  # shallow
        _, goal = pair(rng, i % 9)
        start = goal
        for _ in range(1 + i % 8):
            start = rng.choice([after for after in (slide(start, x) for x in STEPS) if after])
        pairs.append((start, goal))
    pairs += [pair(rng, i % 9, solvable=False) for i in range(18)]
    pairs += [pair(rng, i % 9) for i in range(500 - len(pairs))]
    return pairs


def distances_to(goal):
    distance, layer = {goal: 0}, [goal]
    while layer:
        following = []
        for board in layer:
            for letter in STEPS:
                after = slide(board, letter)
                if after and after not in distance:
                    distance[after] = distance[board] + 1
                    following.append(after)
        layer = following
    return distance


def check_eight(pairs, rows):
    # The names of the tiles do not matter: one table for each place of the goal's blank.
    tables = {}
    for (start, goal), row in zip(pairs, rows):
        blank = goal.index("X")
        names = str.maketrans(goal.replace("X", ""), "12345678")
        board, plain = start.translate(names), goal.translate(names)
        if blank not in tables:
            tables[blank] = distances_to(plain)
        distance = tables[blank]
        if board not in distance:
            assert row["depth"] == row["moves"] == "", row
            continue
        depth, moves = distance[board], ""
        for left in range(depth - 1, -1, -1):
            letter = next(x for x in STEPS if distance.get(slide(board, x)) == left)
            board, moves = slide(board, letter), moves + letter
        assert (row["depth"], row["moves"]) == (str(depth), moves), row
    assert len(tables) == 9 and all(len(t) == 181440 for t in tables.values())
    assert [max(tables[blank].values()) for blank in (0, 1, 4)] == [31, 31, 30]


# ---- Both ----


def textbook(program, prune, text):
    """The rows that a textbook search prints for an input."""
    run = subprocess.run([program, "--counts", "--prune", prune],
                         input=text, capture_output=True, text=True, check=True)
    return list(csv.DictReader(run.stdout.splitlines()))


def columns(prune, counts):
    return {f"{prune}_{field}": counts[field] if counts else "" for field in FIELDS}


def expanded_below(limit, cases, rows):
    """The places of the cases with fewer expansions than a limit."""
    return [i for i, _ in enumerate(cases) if rows[i]["expanded"] and int(rows[i]["expanded"]) < limit]


def write(puzzle, text, rows):
    folder = TESTDATA / puzzle
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "oracle.txt").write_text(text)
    with open(folder / "oracle.csv", "w", newline="") as file:
        out = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        out.writeheader()
        out.writerows(rows)


def rotation(program):
    def judge(boards):
        return "".join(" ".join(board) + "\n" for board in boards) + "0\n"

    uniform, scrambled = rotation_boards(random.Random(2286))
    # A slow search must be able to check them, too.
    easy = expanded_below(3_000_000, uniform, textbook(program, "inverse", judge(uniform)))
    boards = KNOWN_BOARDS + scrambled + [uniform[i] for i in easy]

    inverse = textbook(program, "inverse", judge(boards))
    canonical = textbook(program, "canonical", judge(boards))
    cheap = expanded_below(50_000, boards, inverse)
    none = dict(zip(cheap, textbook(program, "none", judge([boards[i] for i in cheap]))))
    check_rotation(boards, inverse)
    rows = []
    for i, row in enumerate(inverse):
        answer = {field: row[field] for field in ("case", "depth", "moves", "symbol")}
        for other in filter(None, (canonical[i], none.get(i))):
            assert (other["moves"], other["symbol"]) == (row["moves"], row["symbol"]), row
        rows.append(answer | columns("inverse", row) | columns("canonical", canonical[i]) | columns("none", none.get(i)))
    write("rotation", judge(boards), rows)


def eight(program):
    def judge(pairs):
        return f"{len(pairs)}\n" + "".join(f"{start}\n{goal}\n" for start, goal in pairs)

    pairs = eight_pairs(random.Random(3567))
    inverse = textbook(program, "inverse", judge(pairs))
    cheap = expanded_below(1_000, pairs, inverse)
    none = dict(zip(cheap, textbook(program, "none", judge([pairs[i] for i in cheap]))))
    check_eight(pairs, inverse)
    rows = []
    for i, row in enumerate(inverse):
        assert i not in none or none[i]["moves"] == row["moves"], row
        answer = {field: row[field] for field in ("case", "depth", "moves")}
        rows.append(answer | columns("inverse", row) | columns("none", none.get(i)))
    write("eight", judge(pairs), rows)


def main():
    with tempfile.TemporaryDirectory() as folder:
        for name, make in (("rotation", rotation), ("eight", eight)):
            program = f"{folder}/{name}"
            subprocess.run(["c++", "-std=c++17", "-O2", "-o", program, HERE / f"{name}.cpp"], check=True)
            make(program)


if __name__ == "__main__":
    main()
