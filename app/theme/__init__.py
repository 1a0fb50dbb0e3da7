"""Light and dark: palettes, style sheet, icons."""
