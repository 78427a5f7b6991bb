"""What the player does many thousand times a second. Each module has its C types beside it, in a file that ends in .pxd."""
