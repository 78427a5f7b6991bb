from brettwerk_games.players.wec.kernels.board cimport Board
from brettwerk_games.players.wec.kernels.weapons cimport Weapons

cdef class Fires:
    cdef Board board
    cdef Weapons weapons
    cdef int[::1] s, t, half
    cdef public int[::1] log
    cdef public int logged
    cdef int code
    cdef public int own
    cdef int best(self, int b, int seat) noexcept
    cdef int shot(self, int b, int seat, int i) noexcept
    cdef void _shoot(self, int b, int seat, int code) noexcept
    cdef int _weigh(self, int b, int seat, int i, int weapon, int direction, int times, int code, bint hit) noexcept
    cdef int on_place(self, int b, int place, int weapon, int times, int seat, int code, bint hit) noexcept
    cdef int cover(self, int b, int i) noexcept
    cdef int _covers(self, int b, int one, int two) noexcept
    cdef int _effect(self, int b, int j, int weapon, int seat) noexcept
    cdef void _pair(self, int value, int one, int two) noexcept
