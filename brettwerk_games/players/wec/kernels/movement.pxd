from brettwerk_games.players.wec.kernels.board cimport Board

cdef class Movement:
    cdef Board board
    cdef int[::1] s, t
    cdef public int[::1] mv
    cdef int make(self, int b, int seat, int at) noexcept
    cdef int _emit(self, int at, int n, int i, int place, int carry) noexcept
    cdef int _slide(self, int b, int seat, int at, int n, int i, int way) noexcept
    cdef int _pawn(self, int b, int seat, int at, int n, int i) noexcept
    cdef int _jet(self, int b, int seat, int at, int n, int i) noexcept
    cdef int _carriers(self, int b, int seat, int at, int n, int i) noexcept
    cdef int _dive(self, int b, int seat, int at, int n, int i, int carry) noexcept
    cdef int _hop(self, int b, int seat, int at, int n, int i, int carry) noexcept
    cdef bint _open(self, int b, int square, bint grounded, int d, int chains, int length, bint up) noexcept
