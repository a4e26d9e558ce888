"""The blocks of the first screen: made from what a task declares, as text and as HTML."""
