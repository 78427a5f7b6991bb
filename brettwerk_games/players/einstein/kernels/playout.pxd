cdef unsigned long long taken(unsigned long long side, int square) noexcept nogil
cpdef tuple play_on(unsigned long long mover, unsigned long long other, int games, unsigned long long dice)
