from services.ai.players.plateau.kernels.ground cimport Ground

cdef class Worth:
    cdef Ground ground
    cdef short[::1] rows, away, cheapest, covers, army, guard
    cdef int[::1] weights
    cdef public int[::1] score
    cdef void look(self, int row) noexcept
    cdef void weigh(self, int row) noexcept
    cdef void _stand(self, int row, int node, int seat, int kind) noexcept
    cdef void _bases(self, int row) noexcept
    cdef void _hanging(self, int row) noexcept
    cdef int danger(self, int row, int node, int seat, int value, int own) noexcept
    cdef int advance(self, int row, int node, int seat, int kind) noexcept
    cdef int objective(self, int row, int seat) noexcept
