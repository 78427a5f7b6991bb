cimport cython
from brettwerk_games.players.einstein.kernels.places cimport Places

@cython.final
cdef class Pupil:
    cdef double[::1] weights
    cdef int[::1] shared, races
    cdef Places places
    cdef double learn_one(self, unsigned long long mover, unsigned long long other, double chance, double rate) noexcept nogil
