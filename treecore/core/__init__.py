"""Trees and rows as kernels read them: the decorator, routing, scaling, impurity."""
