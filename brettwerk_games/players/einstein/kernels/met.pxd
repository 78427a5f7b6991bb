cimport cython

@cython.final
cdef class Met:
    cdef unsigned long long slots
    cdef unsigned long long[::1] entries
    cdef bint solved
    cpdef void forget(self) noexcept
    cdef double recall(self, unsigned long long mover, unsigned long long other, int depth, double alpha, double beta) noexcept nogil
    cdef void keep(self, unsigned long long mover, unsigned long long other, int depth, double least, double most) noexcept nogil
