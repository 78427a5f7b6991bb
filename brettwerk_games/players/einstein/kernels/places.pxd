cimport cython

@cython.final
cdef class Places:
    cdef int[::1] distance
    cdef void read(self, unsigned long long mover, unsigned long long other, int* columns, int* races) noexcept nogil
