ashlar profile 1
# A hand-written profile with every kind of choice.

frames 100

component transform size 64 align 8

group sprites owns sprite rows 1000000 chunks 400 peak 10000 last 10000

shared sounds transform readers 1 built 10 refreshed 0 reused 990 bytes 640000
shared sounds transform.At readers 3 built 0 refreshed 0 reused 0 bytes 0
shared sprites sprites.Depth readers 1 built 0 refreshed 0 reused 0 bytes 0
shared sprites transform.At readers 2 built 30 refreshed 10 reused 760 bytes 1216000
shared sprites transform.Speed readers 1 built 100 refreshed 300 reused 0 bytes 2500000
shared sprites "odd\tone" readers 1 built 396 refreshed 0 reused 4 bytes 4000000

# 10,000 rows a frame, 15 us a run: 1.5 ns a row
system cull frames 100 timed 10 p10 15us p50 15us p90 15us p99 30us
access cull sprites sprite write rows 1000000 chunks 400 bytes 16777216
access cull bodies transform read scattered rows 1000000 chunks 400 bytes 67108864
choice cull sprites transform.At cached frames 100 chunks 400 stale 40

# 10,000 rows a frame in every other frame
system turn frames 50 timed 5 p10 20us p50 20us p90 20us p99 40us
access turn sprites sprite read rows 500000 chunks 200 bytes 8388608
choice turn sprites transform.At cached frames 50 chunks 200 stale 0
choice turn sprites transform.Speed cached frames 50 chunks 200 stale 200

# in two groups, so that what a row takes in either is not known
system sort frames 100 timed 10 p10 15us p50 15us p90 15us p99 30us
access sort sprites sprite read rows 1000000 chunks 400 bytes 16777216
access sort sounds sound read rows 1000000 chunks 400 bytes 16777216
choice sort sprites sprites.Depth gathered frames 100 chunks 0 stale 0
choice sort sounds transform.At gathered frames 100 chunks 0 stale 0

system warm frames 100
access warm sounds sound read rows 1000000 chunks 400 bytes 16777216
choice warm sounds sounds gathered frames 100 chunks 0 stale 0
choice warm sounds transform cached frames 100 chunks 400 stale 4
choice warm sounds transform.At direct frames 100 chunks 0 stale 0

system idle frames 100
choice idle sprites "odd\tone" cached frames 100 chunks 400 stale 396

end
