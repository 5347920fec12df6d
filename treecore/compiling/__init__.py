"""How Python becomes machine code: the one decorator, its cache, and what all kernels share."""
