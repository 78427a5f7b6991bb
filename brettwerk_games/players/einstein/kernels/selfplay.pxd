cimport cython
from brettwerk_games.players.einstein.kernels.search cimport Engine

cdef unsigned long long taken(unsigned long long side, int square) noexcept nogil

@cython.final
cdef class Gamer:
    cdef Engine engine
    cdef unsigned long long dice, at_mover, at_other
    cdef double roll(self) noexcept nogil
    cdef void go_on(self, int depth, double strange) noexcept nogil
