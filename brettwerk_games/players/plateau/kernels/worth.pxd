cimport cython
from brettwerk_games.players.plateau.kernels.cover cimport Cover
from brettwerk_games.players.plateau.kernels.ground cimport Ground

@cython.final
cdef class Worth:
    cdef Ground ground
    cdef Cover cover
    cdef short[::1] rows, away, army, guard, armies, codes
    cdef int[::1] weights
    cdef int count
    cdef bint sieges
    cdef public int[::1] score
    cdef void weigh(self, int row) noexcept
    cdef void weigh_after(self, int row, int source, int target) noexcept
    cdef bint _ended(self, int row) noexcept
    cdef void _weigh(self, int row) noexcept
    cdef void _stand(self, int row, int node, int seat, int kind) noexcept
    cdef void _bases(self, int row) noexcept
    cdef void _sieges(self, int row) noexcept
    cdef void _hanging(self, int row) noexcept
    cdef int danger(self, int row, int node, int seat, int value, int own) noexcept
    cdef int advance(self, int row, int node, int seat, int kind) noexcept
    cdef int objective(self, int row, int seat) noexcept
