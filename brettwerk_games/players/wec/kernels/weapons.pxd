from brettwerk_games.players.wec.kernels.board cimport Board

cdef class Weapons:
    cdef int[::1] s, t
    cdef int worth(self, int b, int i) noexcept
    cdef int counters(self, int b, int i, int weapon) noexcept
    cdef int battery(self, int b, int i, int weapon, bint restricted) noexcept
    cdef bint _hindered(self, int kind, int weapon) noexcept
    cdef void discharge(self, int b, int i, int weapon, bint restricted) noexcept
    cdef void hit(self, int b, int j, int weapon, int times) noexcept
    cdef bint overcome(self, int b, int i, int weapon) noexcept
