"""How a position lies in one row of integers: what picture.py writes and the kernels read and play on."""

PIECES = 128
"""Most pieces that a picture holds."""
SHOTS = 24
"""Most projectiles."""

SEAT = 0
PLACE = PIECES
"""Place of a piece, -1 when it is not in the game."""
KIND = 2 * PIECES
HAND = 3 * PIECES
STUN = 4 * PIECES
FIRST = 5 * PIECES
"""The ply from which the first inherent weapon is ready."""
SECOND = 6 * PIECES
CARRIED = 7 * PIECES
"""Three rows: an article's kind plus 32 times the ply from which it is ready; 0 for none."""
ORIGIN = 10 * PIECES
TRANSIT = 11 * PIECES
"""The transport of a transit, 0 for none."""
HITS = 12 * PIECES
"""Hits of this Turn: four bits for each weapon, Flame lowest."""
SPENT = 13 * PIECES
"""Whether inherent weapons were fired in this Turn."""
COVER = 14 * PIECES
"""Whether its opponent sees a piece: -1 as a matter of course; else it is hidden from the ply after this one on."""
AT = 15 * PIECES
"""Two a place: the pieces there, -1 for none."""
SHOT = AT + 600
"""Six a projectile: weapon, seat, square, heading, strength, target (-1 for a directed one); -7 as target: launched just now."""
NUMBER = SHOT + 7 * SHOTS
FLYING = NUMBER + 1
PLY = NUMBER + 2
FIRED = NUMBER + 3
LOST = NUMBER + 4
"""Two: whether a seat has lost a primary."""
SIZE = NUMBER + 6

# Options and tables that stay the same for a whole game, in one row too.
FLAME_RANGE, STUN_RANGE, STUN_TIME, OFF_LEVEL, NO_FIRES, SUB_JET, KING_STAYS = range(7)
RATES = 7
"""Seven: fire rates by weapon from 1."""
FIRE_REVEALS, TAKE_REVEALS, HOMING_RANGE, HELPLESS = 14, 15, 16, 17
COMBAT = 18
"""24 a property from here: by kind of piece."""
SHARES = COMBAT + 24
WEAPON_A = SHARES + 24
WEAPON_B = WEAPON_A + 24
COUNTERED = WEAPON_B + 24
"""Weapons countered by nature, one bit each."""
CARRIER = COUNTERED + 24
"""The level off the Ground on which a kind moves by itself, 3 for none."""
WAY = CARRIER + 24
"""How a kind moves: one of the ways below."""
VALUE = WAY + 24
HUNTS = VALUE + 24
"""The worth of each step nearer to the enemy primary."""
ARTICLE_VALUE = HUNTS + 24
"""19, by kind of article."""
NEXT = ARTICLE_VALUE + 24
"""Eight a square."""
DISTANCE = NEXT + 800
SQUARE_VALUE = DISTANCE + 10_000
"""By kind, seat and square: 24 * 200."""
GOAL = SQUARE_VALUE + 4800
"""By seat and square: what it is worth to stand at the Ground there."""
LINES = GOAL + 200
"""By way (seven), seat and square: where its lines are: their number, then each with its length."""
PAWNS = LINES + 7 * 200
HOPS = PAWNS + 200
"""By hand (1 left, 2 right), seat and square."""
DATA = HOPS + 3 * 200

PANZER_LEFT, PANZER_RIGHT, CLERIC_LEFT, CLERIC_RIGHT, SECONDARY, STEP, JET, SUB, CHOPPER, PAWN = range(10)
"""The ways; Panzers and Clerics have that of the left hand here, and the hand's number is added."""
PRIMARY_FROM, SECONDARY_FROM = 16, 20
"""The kinds from here on are primaries and secondaries."""
