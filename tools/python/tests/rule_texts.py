"""Rules that several tests play by."""

# A die of three sides that come up 1, 2 and 3 times of six; then a move.
DICE = """game: Dice
players: [White, Black]
board: { squares: 2 by 2 }
pieces: { man: w b }
state: { total: 0 }
turn: roll n in 1 .. 3 by n, set total = total + n, (say "a" or (say "b", set total = total + 1))
end: [lose when total > 8]
"""
