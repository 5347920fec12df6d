"""The algorithms taken apart: what one step of each did, and why, as plain numbers.

Kernels write their decisions into a trace when they are given one. Here they are called for one
step, on copies, and their traces become plain objects; no decision is taken a second time.
"""
