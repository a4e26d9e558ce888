"""ask what people would say of all rows, from few labels of theirs and many of a judge"""
