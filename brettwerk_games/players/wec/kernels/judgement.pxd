from brettwerk_games.players.wec.kernels.board cimport Board
from brettwerk_games.players.wec.kernels.fires cimport Fires
from brettwerk_games.players.wec.kernels.weapons cimport Weapons

cdef class Judgement:
    cdef Board board
    cdef Weapons weapons
    cdef Fires fires
    cdef int[::1] s, t
    cdef int value(self, int b, int seat) noexcept
    cdef int exposed(self, int b, int seat) noexcept
    cdef bint stalked(self, int b, int i) noexcept
    cdef int over(self, int b, int seat, int depth) noexcept
