cimport cython

@cython.final
cdef class Ground:
    cdef public int nodes, seats, stamp, notes
    cdef int alliance, conquest_wins, take_over, jump_may_end
    cdef object _room
    cdef short[::1] beside, home, bases, rows
    cdef short[::1] target, steps, queue, far, noted
    cdef int[::1] seen
    cdef int way(self, int row, int node, int seat, int kind) noexcept
    cdef int reach(self, int row, int node, int limit, bint cover, int first) noexcept
    cdef int _two(self, int row, int node, int limit, bint cover, int first) noexcept
    cdef int _landing(self, int row, int node, int seat, int direction) noexcept
    cdef int _hop(self, int row, int node, bint cover, int first) noexcept
    cdef int _jump(self, int row, int node, int limit, bint cover, int first) noexcept
    cdef int _meet(self, int node, int way, int steps, bint cover, int count) noexcept
    cdef int allowance(self, int row, int kind) noexcept
    cdef void copy(self, int row, int to) noexcept
    cdef void move(self, int row, int source, int target, int steps) noexcept
    cdef void fall(self, int row, int seat, int by) noexcept
    cdef int count(self, int row, int seat) noexcept
    cdef void pass_on(self, int row) noexcept
    cdef bint foes(self, int seat, int other) noexcept
