"""The inner loops of the player. Each module has its C types beside it, in a file that ends in .pxd."""
