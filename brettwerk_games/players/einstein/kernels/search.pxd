cimport cython
from brettwerk_games.players.einstein.kernels.horizon cimport Horizon
from brettwerk_games.players.einstein.kernels.known cimport Known
from brettwerk_games.players.einstein.kernels.met cimport Met
from brettwerk_games.players.einstein.kernels.moves cimport Moves
from brettwerk_games.players.einstein.kernels.rolls cimport Rolls

@cython.final
cdef class Engine:
    cdef Horizon horizon
    cdef Known known
    cdef Rolls rolls
    cdef Moves moves
    cdef Met met
    cdef long long nodes, unsure, limit, pace, look
    cdef bint stopped
    cdef int star
    cdef object ask, failure
    cdef double think(self, unsigned long long mover, unsigned long long other) noexcept nogil
    cdef void tick(self) noexcept nogil
    cdef double value(self, unsigned long long mover, unsigned long long other, int depth, double alpha, double beta) noexcept nogil
