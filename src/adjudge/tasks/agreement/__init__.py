"""do raters agree beyond chance, who differs, and on what?"""
