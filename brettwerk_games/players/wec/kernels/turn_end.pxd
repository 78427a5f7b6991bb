from brettwerk_games.players.wec.kernels.board cimport Board
from brettwerk_games.players.wec.kernels.fires cimport Fires
from brettwerk_games.players.wec.kernels.weapons cimport Weapons

cdef class TurnEnd:
    cdef Board board
    cdef Weapons weapons
    cdef Fires fires
    cdef int[::1] s, t
    cdef void settle(self, int b) noexcept
    cdef void _flights(self, int b) noexcept
    cdef void _land(self, int b, int k) noexcept
    cdef void _knock_out(self, int b, int i) noexcept
    cdef void _fall(self, int b, int i) noexcept
