cimport cython

cpdef void round_off(float[::1] chances, unsigned short[::1] stored) noexcept

@cython.final
cdef class Filler:
    cdef float[::1] ours, theirs, fine
    cdef const unsigned short[::1] coarse
    cdef bint is_coarse, is_listed
    cdef int[::1] full, canon, class_of, turned, alone, between, boards, canons, images
    cdef long long[::1] bases, offsets, full_size
    cdef int classes, first, second, first_mask, second_mask, first_count, second_count
    cdef unsigned char[::1] squares
    cdef void look_at(self, int[::1] placements, int count)
    cdef int number(self, int of, int placement) noexcept nogil
    cdef int canonical(self, int of, int placement) noexcept nogil
    cdef int placement(self, int mask, int* squares, int mirror) noexcept nogil
    cdef double smaller(self, int mask, int* squares, int other_mask, int* other_squares) noexcept nogil
    cdef double rolled(self, int mask, double* best) noexcept nogil
    cdef void fill_one(self, int canonical, int placement) noexcept nogil
