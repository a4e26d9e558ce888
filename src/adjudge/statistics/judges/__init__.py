"""Labels of people on some rows and of a judge on all."""
