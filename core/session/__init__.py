"""One reduction as the user sees it: input, settings, check, run, result, exports."""
