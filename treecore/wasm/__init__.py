"""Learning in a browser: kernels as WebAssembly, and a run as what they read there."""
