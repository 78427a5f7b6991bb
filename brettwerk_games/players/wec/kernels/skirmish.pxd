from brettwerk_games.players.wec.kernels.board cimport Board
from brettwerk_games.players.wec.kernels.fires cimport Fires
from brettwerk_games.players.wec.kernels.judgement cimport Judgement
from brettwerk_games.players.wec.kernels.movement cimport Movement
from brettwerk_games.players.wec.kernels.turn_end cimport TurnEnd
from brettwerk_games.players.wec.kernels.weapons cimport Weapons

cdef class Skirmish:
    cdef Board board
    cdef Movement movement
    cdef Weapons weapons
    cdef Fires fires
    cdef TurnEnd turn_end
    cdef Judgement judgement
    cdef int[::1] s, t, mv, key, log, good
    cdef int nodes, most
    cdef void _rank(self, int b, int level, int n, int seat) noexcept
    cdef int _next_best(self, int level, int m, int n) noexcept
    cdef void _aim(self, int b, int level, int n, int seat) noexcept
    cdef int _stand(self, int fired, int after, int seat) noexcept
    cdef void _prefer(self, int level, int n) noexcept
    cdef void _remember(self, int level, int m) noexcept
    cdef int _search(self, int level, int seat, int depth, int takes, int alpha, int beta) noexcept
