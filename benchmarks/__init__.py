"""Speed, measured: `make bench`. Ratios within one run, since machines differ and drift."""
