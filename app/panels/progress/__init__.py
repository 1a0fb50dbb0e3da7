"""How a reduction gets on: chart, present question, bars."""
