ashlar profile 1
frames many
frames -1
frames 1 sampled
frames 1 layout
frames 1 layout ""
frames 1 hash x
frames
lookup
lookup ,
lookup a b
lookup a by s reads 99999999999999999999
lookup a reads 17179869184G
lookup a reads 1
lookup a reads 2
component a size 1 align 1 speed 3
component a size many align 1
system s frames 1 timed 1 p10 5 p50 1us p90 1us p99 1us
system s frames 1 timed 1 p10
system s frames 1 timed 1 p10 2us p50 1us p90 1us p99 1us
