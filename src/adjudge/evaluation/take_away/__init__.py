"""What is taken away: tables of rows, items, queries and pictures, exports, and saved evaluations."""
