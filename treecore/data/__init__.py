"""Tables: where they come from, what they hold, what is accepted to be learnt from."""
