"""What was asked: roles and settings checked, the table opened, and where no task is named, which one it is for."""
