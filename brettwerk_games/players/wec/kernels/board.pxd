
cdef class Board:
    cdef public int[::1] s, t
    cdef void copy(self, int a, int b) noexcept
    cdef void lift(self, int b, int i) noexcept
    cdef void put(self, int b, int i, int place) noexcept
    cdef void kill(self, int b, int i) noexcept
    cdef void lose(self, int b, int i) noexcept
    cdef bint dark(self, int b, int i) noexcept
    cdef int companion(self, int b, int i) noexcept
    cdef bint _shares(self, int b, int i, int j) noexcept
    cdef bint room(self, int b, int i, int place) noexcept
    cdef bint may_end(self, int b, int i, int place, bint combat, bint carry) noexcept
    cdef bint own_support(self, int b, int i) noexcept
    cdef void go(self, int b, int i, int place, int carry) noexcept
