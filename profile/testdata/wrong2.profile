ashlar profile 1
frames 1
group g owns a,a rows 1 chunks 1 peak 1 last 1
stored c ordered reason x entities 1
stored c thin reason x entities 1 tables 1 since soon
component c size 1 align 3
component c size 4294967296 align 1
stored c often reason x entities 1 tables 1
stored c fixed reason "" entities 1 tables 1
group g owns
group g rows 1 rows 2
system s
access s g c read rows 1 chunks 1 bytes 1
access t g c read rows 1 chunks 1 bytes 1
lookup "a
lookup "\q"
"lookup" a
fly
lookup a b
end
lookup late reads 1
end
