# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The Fires that bring most, with their hits at once: a Fire of the small picture makes no projectile."""

import array

import cython

from brettwerk_games.players.wec import layout
from brettwerk_games.players.wec.kernels.board import Board
from brettwerk_games.players.wec.kernels.weapons import Weapons

P = cython.declare(cython.int, layout.PIECES)
SEAT = cython.declare(cython.int, layout.SEAT)
PLACE = cython.declare(cython.int, layout.PLACE)
KIND = cython.declare(cython.int, layout.KIND)
STUN = cython.declare(cython.int, layout.STUN)
CARRIED = cython.declare(cython.int, layout.CARRIED)
HITS = cython.declare(cython.int, layout.HITS)
AT = cython.declare(cython.int, layout.AT)
COVER = cython.declare(cython.int, layout.COVER)
NUMBER = cython.declare(cython.int, layout.NUMBER)
PLY = cython.declare(cython.int, layout.PLY)
FIRED = cython.declare(cython.int, layout.FIRED)
WEAPON_A = cython.declare(cython.int, layout.WEAPON_A)
CARRIER = cython.declare(cython.int, layout.CARRIER)
VALUE = cython.declare(cython.int, layout.VALUE)
NEXT = cython.declare(cython.int, layout.NEXT)
FLAME_RANGE = cython.declare(cython.int, layout.FLAME_RANGE)
STUN_RANGE = cython.declare(cython.int, layout.STUN_RANGE)
NO_FIRES = cython.declare(cython.int, layout.NO_FIRES)
FIRE_REVEALS = cython.declare(cython.int, layout.FIRE_REVEALS)
FLAME = cython.declare(cython.int, 1)
STUNS = cython.declare(cython.int, 2)
CONVERSION = cython.declare(cython.int, 3)
ROCKET = cython.declare(cython.int, 4)
WEAPON_B = cython.declare(cython.int, layout.WEAPON_B)
HELPLESS = cython.declare(cython.int, layout.HELPLESS)
ANY = cython.declare(cython.int, 0b1111110)
"""A bit for each weapon."""
LEAST = cython.declare(cython.int, 8)
"""A Fire must bring more than this."""


class Fires:
    """Chooses Fires and carries them out; the codes of the last ones are in `log`, and `own` is the seat that thinks."""

    def __init__(self, board: Board, weapons: Weapons) -> None:
        self.board, self.weapons = board, weapons
        self.s, self.t = board.s, board.t
        self.half = array.array("i", [0]) * (P * 8)
        self.log = array.array("i", [0]) * 8
        self.logged = 0
        self.code = 0
        self.own = 0

    def best(self, b: cython.int, seat: cython.int) -> cython.int:
        """Fire what brings most, as often as may be; return what it is thought to bring."""
        gained: cython.int = 0
        best: cython.int
        value: cython.int
        chosen: cython.int
        i: cython.int
        if self.t[NO_FIRES]:
            return 0
        while self.s[b + FIRED] < 2:
            best = LEAST
            chosen = 0
            self.log[4] = LEAST
            for i in range(8 * self.s[b + NUMBER]):
                self.half[i] = 0
            for i in range(self.s[b + NUMBER]):
                if self.s[b + PLACE + i] < 0 or self.s[b + SEAT + i] != seat:
                    continue
                value = self.shot(b, seat, i)
                if value > best:
                    best = value
                    chosen = self.code
            if self.log[4] > best and self.s[b + FIRED] == 0:
                gained += self.log[4]
                chosen = self.log[5]
                self._shoot(b, seat, chosen)
                self._shoot(b, seat, self.log[6])
            elif chosen:
                gained += best
                self._shoot(b, seat, chosen)
            else:
                break
        return gained

    def shot(self, b: cython.int, seat: cython.int, i: cython.int) -> cython.int:
        """Return what the best single Fire of a piece in the game brings at once, and note it in `code`; `LEAST` for none."""
        best: cython.int = LEAST
        value: cython.int
        code: cython.int
        weapon: cython.int
        times: cython.int
        direction: cython.int
        armed: cython.int
        c: cython.int
        place: cython.int = self.s[b + PLACE + i]
        kind: cython.int = self.s[b + KIND + i]
        cover: cython.int
        if self.s[b + STUN + i] >= self.s[b + PLY] and self.t[HELPLESS]:
            return best
        armed = 1 << self.t[WEAPON_A + kind] | 1 << self.t[WEAPON_B + kind]
        for c in range(3):
            armed |= 1 << (self.s[b + CARRIED + c * P + i] & 31)
        if not armed & ANY:
            return best
        cover = self.cover(b, i) if self.t[FIRE_REVEALS] else 0
        for weapon in range(1, 7):
            if not armed >> weapon & 1:
                continue
            times = self.weapons.battery(b, i, weapon, False)
            if not times:
                continue
            for direction in range(8):
                if self.t[NEXT + 8 * (place % 100) + direction] < 0:
                    continue
                code = i | weapon << 8 | (direction + 1) << 12
                value = self._weigh(b, seat, i, weapon, direction, times, code, False) - cover
                if value > best:
                    best = value
                    self.code = code
        if place >= 100 and self.t[CARRIER + kind] == place // 100:
            times = self.weapons.battery(b, i, ROCKET, True)
            if times:
                code = i | ROCKET << 8 | 9 << 12
                value = self._weigh(b, seat, i, ROCKET, 8, times, code, False) - cover
                if value > best:
                    best = value
                    self.code = code
        return best

    def _shoot(self, b: cython.int, seat: cython.int, code: cython.int) -> None:
        """Carry out a Fire: its hits are counted at once, so no projectile is made."""
        i: cython.int = code & 127
        weapon: cython.int = code >> 8 & 7
        direction: cython.int = (code >> 12) - 1
        restricted: cython.bint = direction == 8 and weapon == ROCKET
        times: cython.int = self.weapons.battery(b, i, weapon, restricted)
        self._weigh(b, seat, i, weapon, direction, times, code, True)
        self.weapons.discharge(b, i, weapon, restricted)
        if self.s[b + COVER + i] >= 0 and self.t[FIRE_REVEALS]:
            self.s[b + COVER + i] = self.s[b + PLY] + 1
        self.s[b + FIRED] += 1
        if self.logged < 4:
            self.log[self.logged] = code
            self.logged += 1

    def _weigh(
        self,
        b: cython.int,
        seat: cython.int,
        i: cython.int,
        weapon: cython.int,
        direction: cython.int,
        times: cython.int,
        code: cython.int,
        hit: cython.bint,
    ) -> cython.int:
        """Return what a Fire in a direction brings at once (8: an off-level rocket, or homing on the own square)."""
        place: cython.int = self.s[b + PLACE + i]
        square: cython.int = place % 100
        base: cython.int = place - square
        total: cython.int = 0
        _k: cython.int
        reach: cython.int = 1
        if direction == 8:
            base = 0 if weapon == ROCKET else 100 * (weapon - ROCKET)
            return self.on_place(b, base + square, weapon, times, seat, code, hit)
        if weapon >= ROCKET:
            base = 100 * (weapon - ROCKET)
        elif weapon == FLAME:
            reach = self.t[FLAME_RANGE]
        elif weapon == STUNS:
            reach = self.t[STUN_RANGE]
        for _k in range(reach):
            square = self.t[NEXT + 8 * square + direction]
            if square < 0:
                return total
            if self.s[b + AT + 2 * (base + square)] >= 0:
                total += self.on_place(b, base + square, weapon, times, seat, code, hit)
                if weapon == STUNS:
                    return total
        return total

    def on_place(
        self,
        b: cython.int,
        place: cython.int,
        weapon: cython.int,
        times: cython.int,
        seat: cython.int,
        code: cython.int,
        hit: cython.bint,
    ) -> cython.int:
        """Return what so many hits on a place are worth to a seat, and give the hits if `hit` is set.

        Where one more Fire would do, what that is worth is noted in `half` under the piece, weapon and `code`. A piece that the
        seat does not see is hit all the same, but it is no reason to fire.
        """
        total: cython.int = 0
        slot: cython.int
        j: cython.int
        need: cython.int
        other: cython.int
        for slot in range(2):
            j = self.s[b + AT + 2 * place + slot]
            if j < 0 or (weapon == CONVERSION and self.s[b + SEAT + j] == seat):
                continue
            if not hit and self.s[b + SEAT + j] != seat and self.board.dark(b, j):
                continue
            need = self.weapons.counters(b, j, weapon) + 1 - (self.s[b + HITS + j] >> 4 * (weapon - 1) & 15)
            if hit:
                self.weapons.hit(b, j, weapon, times)
            elif need > 0:
                if times >= need:
                    total += self._effect(b, j, weapon, seat)
                elif self.s[b + SEAT + j] != seat and 2 * times >= need:
                    other = self.half[8 * j + weapon]
                    if other == 0:
                        self.half[8 * j + weapon] = code
                    elif other > 0 and (other & 127) != (code & 127):
                        self._pair(self._effect(b, j, weapon, seat) - self._covers(b, other, code), other, code)
        return total

    def cover(self, b: cython.int, i: cython.int) -> cython.int:
        """Return what it is worth to a piece's seat that the other one does not see it; 0 when they do."""
        if not self.board.dark(b, i):
            return 0
        value: cython.int = self.t[VALUE + self.s[b + KIND + i]]
        return 40 if value > 480 else 10 + value // 16

    def _covers(self, b: cython.int, one: cython.int, two: cython.int) -> cython.int:
        if one < 0 or two < 0 or not self.t[FIRE_REVEALS]:
            return 0
        return self.cover(b, one & 127) + self.cover(b, two & 127)

    def _effect(self, b: cython.int, j: cython.int, weapon: cython.int, seat: cython.int) -> cython.int:
        """Return what it is worth to a seat that a weapon overcomes a piece."""
        value: cython.int
        worth: cython.int = self.weapons.worth(b, j)
        if weapon == STUNS:
            # Nobody is kept asleep for ever by the player itself; the other side may well do that.
            if self.s[b + STUN + j] >= self.s[b + PLY] + (seat != self.own):
                return 0
            value = self.t[VALUE + self.s[b + KIND + j]]
            value = (120 if value > 5000 else value // 5) + (worth - value) * 3 // 4 if value < 5000 else 120
        elif weapon == CONVERSION:
            value = worth * 9 // 5
        else:
            value = worth
        return value if self.s[b + SEAT + j] != seat else -value

    def _pair(self, value: cython.int, one: cython.int, two: cython.int) -> None:
        if value > self.log[4]:
            self.log[4] = value
            self.log[5] = one
            self.log[6] = two
