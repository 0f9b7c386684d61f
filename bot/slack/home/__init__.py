"""The page that each person has with the bot."""
