cimport cython
from brettwerk_games.players.plateau.kernels.ground cimport Ground

@cython.final
cdef class Conquest:
    cdef Ground ground
    cdef public int nodes
    cdef int cap, small_left, total_left, emblem_free, many
    cdef short[::1] rows, walk, queue, mark, source, target, steps
    cdef public int length
    cdef int win(self, int row, int room, int cap) noexcept
    cdef bint _seek(self, int row, int room, int depth, int clear, int first) noexcept
    cdef bint _take(self, int row, int room, int depth, int clear, int first) noexcept
    cdef bint _clear(self, int row, int room, int depth, int clear, int first) noexcept
    cdef bint _try(self, int row, int room, int depth, int clear, int first, int source, int target, int steps) noexcept
    cdef bint _goal(self, int row, int seat, int node) noexcept
    cdef void _budget(self, int row) noexcept
    cdef bint _hope(self, int row) noexcept
    cdef int _cost(self, int row, int seat, int goal) noexcept
    cdef int _last(self, int row, int seat, int goal, int node) noexcept
    cdef bint _open(self, int row, int seat, int goal, int node) noexcept
    cdef void _near(self, int radius) noexcept
