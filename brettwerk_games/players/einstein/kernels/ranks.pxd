cpdef int number_placements(int stones, bint palindromic, int[::1] full, int[::1] canon, int[::1] full_list, int[::1] canon_list)
