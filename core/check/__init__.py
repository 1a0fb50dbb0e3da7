"""The check: is the full input interesting, and are the answers to be believed?

Read `runs` first, the table of all runs; then `check` (the runs that are waited for), `beside` (the runs that go on
beside a search), `findings` (what they say about the search), `provisional` (what a search finds meanwhile).
"""
