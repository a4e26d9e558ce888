"""What so many units will show, and how many are needed."""
