"""What the report says on who is in a sample, when there is a population to look people up in."""
