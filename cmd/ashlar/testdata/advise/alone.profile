ashlar profile 1
# Without a map.

frames 1200

component goods size 256 align 8
component height size 4 align 4
component mood size 48 align 8
component place size 24 align 8

group houses owns goods rows 1200000 chunks 6000 peak 1000 last 1000
group moods owns mood rows 24000 chunks 1200 peak 20 last 20
group market owns stalls rows 12000 chunks 1200 peak 10 last 10
group people owns place rows 4970000 chunks 3600 peak 41000 last 4290
group ruins owns height rows 12000 chunks 1200 peak 10 last 10

system walk frames 1200 timed 75 p10 2000us p50 2000us p90 2000us p99 4000us
access walk people place write rows 48000000 chunks 60000 bytes 1152000000
access walk moods mood read scattered rows 48000000 chunks 60000 bytes 2304000000
choice walk people mood gathered frames 1200 chunks 0 stale 0 order 10
system census frames 1200
access census houses goods read rows 1200000 chunks 6000 bytes 307200000

end
