"""The Lab: one to three learners on the same points, under one limit."""
