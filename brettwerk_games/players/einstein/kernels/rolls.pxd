cimport cython

@cython.final
cdef class Rolls:
    cdef int[::1] alone, between
    cdef double rolled(self, int mask, double* chances) noexcept nogil
    cdef double inverse(self, int mask, int stone, double* chances, double total) noexcept nogil
