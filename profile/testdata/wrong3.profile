ashlar profile 1
frames 1
system s frames 1
shared g c readers -1 built 0 refreshed 0 reused 0 bytes 0
shared g
choice s g c none frames 1 chunks 1 stale 1
choice s g
choice y g c cached frames 1 chunks 1 stale 1
choice s g c cached frames 1 chunks 1 stale 1 cached 4.1
choice s g c cached frames 1 chunks 1 stale 1 chunks 2
choice s g c cached frames 1 chunks 1 stale 1
choice s g c cached frames 1 chunks 1 stale 1
choice s g c gathered frames 1 chunks 1 stale 1
shared g c readers 1 built 0 refreshed 0 reused 0 bytes 0
shared g c readers 1 built 0 refreshed 0 reused 0 bytes 0
end
