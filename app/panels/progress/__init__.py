"""The progress of a reduction: chart, present question, bars."""
