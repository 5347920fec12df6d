"""Random hinge forests and ferns (Lay et al. 2018); ``training.hinge_trainer`` drives a run."""
