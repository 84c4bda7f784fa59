ashlar profile 1
# A village, written by hand.

frames 1200

component goods size 256 align 8
component height size 4 align 4
component mood size 48 align 8
component place size 24 align 8
component mind size 4 align 4
component skill size 80 align 8

stored mind optional reason "removed often" entities 40 tables 2

group houses owns goods rows 1200000 chunks 6000 peak 1000 last 1000
group people owns place,mood rows 48000000 chunks 60000 peak 41000 last 40290
group ruins rows 120000 chunks 1200 peak 100 last 100
group smiths owns skill rows 10800 chunks 1200 peak 900 last 9
group table/~mind owns mind rows 24000 chunks 1200 peak 30 last 20
group terrain owns height rows 120000 chunks 1200 peak 100 last 100

system walk frames 1200 timed 75 p10 2000us p50 2000us p90 2000us p99 4000us
access walk people place write rows 48000000 chunks 60000 bytes 1152000000
access walk people mood read rows 48000000 chunks 60000 bytes 2304000000
system trade frames 1200 timed 75 p10 1400us p50 1400us p90 1400us p99 2800us
access trade people place read rows 48000000 chunks 60000 bytes 1152000000
access trade houses goods read scattered rows 48000000 chunks 48000000 bytes 12288000000
choice trade people goods gathered frames 1200 chunks 0 stale 0 order 10
system census frames 1200
access census houses goods read rows 1200000 chunks 6000 bytes 307200000

end
