cimport cython

@cython.final
cdef class Known:
    cdef const unsigned short[::1] two, three, four, five, six
    cdef readonly int reach
    cdef int classes
    cdef int[::1] full, canon, class_of, turned
    cdef long long[::1] bases, offsets, full_size
    cdef double known(self, unsigned long long mover, unsigned long long other) noexcept nogil
    cdef double stored(self, unsigned long long mover, unsigned long long other, int mask, int facing, int count) noexcept nogil
