cimport cython
from brettwerk_games.players.plateau.kernels.ground cimport Ground
from brettwerk_games.players.plateau.kernels.worth cimport Worth
from brettwerk_games.players.plateau.kernels.turns cimport Turns
from brettwerk_games.players.plateau.kernels.conquest cimport Conquest

@cython.final
cdef class Lookahead:
    cdef Ground ground
    cdef Worth worth
    cdef Turns turns
    cdef Conquest conquest
    cdef short[::1] rows
    cdef int[::1] found
    cdef bint two_sides
    cdef int cap
    cdef public int nodes
    cdef void _look(self, int slot, int ply, int depth, int first, int width, int branch, int keep, int cut) noexcept
    cdef bint _foe(self, int seat, int slot) noexcept
    cdef void _won(self, int row, int ply) noexcept
    cdef int _objective(self, int row, int seat, int ply) noexcept
