ashlar profile 1
frames 1
system s frames 1
shared g c readers -1 built 0 refreshed 0 reused 0 bytes 0
shared g
choice s g c none frames 1 chunks 1 stale 1
choice s g
choice y g c keep frames 1 chunks 1 stale 1
choice s g c keep frames 1 chunks 1 stale 1 keep 4.1
choice s g c keep frames 1 chunks 1 stale 1 stream 0ns
choice s g c keep frames 1 chunks 1 stale 1 stream 1.2345ns
choice s g c keep chunks 1 stale 1 keep 1ns keep 2ns
choice s g c keep frames 1 chunks 1 stale 1 stream 1.ns
choice s g c keep frames 1 chunks 1 stale 1 stream 2147483648ns
choice s g c keep frames 1 chunks 1 stale 1
choice s g c stream frames 1 chunks 1 stale 1
shared g c readers 1 built 0 refreshed 0 reused 0 bytes 0
shared g c readers 1 built 0 refreshed 0 reused 0 bytes 0
end
