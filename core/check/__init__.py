"""The check: is the full input interesting, and are the answers to be believed?

Read `runs` first, where each run is declared with its condition and its proof; then `check` (runs before the search),
`beside` (runs beside a search), `findings` (conclusions of runs about the search).
"""
