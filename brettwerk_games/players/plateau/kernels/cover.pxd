cimport cython
from brettwerk_games.players.plateau.kernels.ground cimport Ground

@cython.final
cdef class Cover:
    cdef Ground ground
    cdef short[::1] rows, ways, watch, many, place, code, watched, holder
    cdef int[::1] kept, kept_ends, done
    cdef int[::1] tally, ends
    cdef int fallen, stamp
    cdef void look(self, int row) noexcept
    cdef void keep(self, int row) noexcept
    cdef void after(self, int row, int source, int target) noexcept
    cdef void _clear(self) noexcept
    cdef void _renew(self, int row, int node) noexcept
    cdef void _drop(self, int army) noexcept
    cdef int _add(self, int row, int node, int code) noexcept
    cdef int all_of(self, int at) noexcept
    cdef int heavy(self, int at) noexcept
    cdef int least(self, int at) noexcept
