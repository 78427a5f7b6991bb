cimport cython
from brettwerk_games.players.plateau.kernels.ground cimport Ground
from brettwerk_games.players.plateau.kernels.cover cimport Cover
from brettwerk_games.players.plateau.kernels.worth cimport Worth

@cython.final
cdef class Turns:
    cdef Ground ground
    cdef Worth worth
    cdef Cover cover
    cdef short[::1] rows, source, target, steps
    cdef int[::1] parent, value, mark, chosen, best_source, best_target, best_steps, best_gain
    cdef public int nodes
    cdef int make(self, int slot, int width, int branch, int keep, int first) noexcept
    cdef int _grow(self, int slot, int branch, int first, int free) noexcept
    cdef int _list(self, int row, int branch) noexcept
    cdef int _gain(self, int row, int source, int target) noexcept
    cdef int _child(self, int slot, int index, int first, int free) noexcept
    cdef void _weigh(self, int slot, int row, int source, int target) noexcept
    cdef int _finished(self, int slot, int first, int free, int keep) noexcept
    cdef bint _open(self, int row) noexcept
    cdef int _pick(self, int start, int end, int many, int to) noexcept
