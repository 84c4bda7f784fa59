# © the level's designers
ashlar profile 1 # read by the editor too
# The castle level,
# recorded on the test course.

# A second paragraph of the head.

# what the facts stand for
frames 1200 early 126300us layout 0123456789abcdef sampled 4     # by the designers' layout

lookup "Größe π" reads 1024

# a comment above,

# and its second paragraph
group table/velocity owns velocity rows 12 chunks 12 peak 1 last 0
group body peak 1010 rows 1200000 last 990 chunks 6000 owns position,velocity
shared pools velocity.X bytes 2097152 built 40 refreshed 12 readers 2 reused 7900 dropped 65536 # of what?
shared "odd, name" position readers 0 built 0 refreshed 0 reused 0 bytes 0
component velocity size 16 align 8
component position align 8 size 16 # X, Y float64
component "odd, name" size 4 align 4
component "\xff\x00tab\there" size 1 align 1
stored "odd, name" thin tables 1 entities 3 reason "few have it"
stored tag optional entities 40 tables 2 reason stated # in code
stored position ordered adds 20480 removes 18432 since 640 reason "removed often" entities 900 tables 1
component tag size 0 align 1
lookup velocity reads 1200 by "idle \"one\"" # it aims
lookup position reads 96000
lookup velocity reads 12288 by ai contracts 300
growth body rows 1010 frame 16 # the last of them
growth body frame 2 rows 490
growth body frame 1 rows 200

system move frames 1200 timed 75 p10 15us p50 16460ns p90 18us p99 25us
access move body position write rows 1200000 chunks 6000 bytes 19200000
access move body velocity read rows 1200000 chunks 6000 bytes 19200000
field move velocity.Y write
field move velocity.X read
choice move pools velocity.X cached chunks 4720 stale 52 frames 1180
# kept for now
choice move "odd, name" position gathered frames 3 chunks 0 stale 0
# which reads what others own
system ai frames 300 matched 3 tested 1200
access ai table/velocity velocity read scattered rows 3 chunks 3 bytes 48
system "idle \"one\"" frames 1200

# nothing comes below
end # of it

# a tail,

# in two paragraphs
