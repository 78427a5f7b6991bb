cdef class Outlook:
    cdef int[::1] near, begins, continent_of, bonus
    cdef int count, continents
    cdef int[::1] owners
    cdef long long[::1] armies
    cdef double[::1] worth, threat, want
    cdef int[::1] goals, holders
    cdef double[::1] mu
