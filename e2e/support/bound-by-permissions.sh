#!/bin/sh
# Runs $BOUND_BROWSER without the rights by which root reads every file.
exec setpriv --bounding-set=-dac_override,-dac_read_search --inh-caps=-dac_override,-dac_read_search "$BOUND_BROWSER" "$@"
