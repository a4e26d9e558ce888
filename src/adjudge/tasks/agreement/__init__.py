"""ask whether raters agree beyond chance, who differs, and on what"""
