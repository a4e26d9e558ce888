"""evaluate decisions and scores against labels"""
