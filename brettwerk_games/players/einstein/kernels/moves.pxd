cimport cython
from brettwerk_games.players.einstein.kernels.horizon cimport Horizon
from brettwerk_games.players.einstein.kernels.known cimport Known

@cython.final
cdef class Moves:
    cdef Horizon horizon
    cdef Known tables
    cdef int[::1] squares, columns, rows, powers
    cdef unsigned long long mover, other
    cdef int mask, facing, board, front, count, race, facing_race, weight, looked
    cdef double best
    cdef int stand(self, unsigned long long mover, unsigned long long other) noexcept nogil
    cdef int list(self, int i, unsigned long long* movers, unsigned long long* others, double* logits) noexcept nogil
    cdef int thought(self, int i, int target, int taken) noexcept nogil
    cdef void order(self, int first, int count, unsigned long long* movers, unsigned long long* others, double* logits) noexcept nogil
