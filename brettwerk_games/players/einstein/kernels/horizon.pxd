cimport cython
from brettwerk_games.players.einstein.kernels.places cimport Places

@cython.final
cdef class Horizon:
    cdef const short[::1] matrix, races
    cdef float[::1] curve
    cdef int[::1] distance
    cdef Places places
    cdef double read_curve(self, int logit) noexcept nogil
    cdef int weigh(self, unsigned long long mover, unsigned long long other) noexcept nogil
