ashlar profile 1
frames many
frames -1
off on
budget
budget time 5
budget time 0s
budget bytes 99999999999999999999
budget bytes 17179869184G
cold a b
cold a
cold a
pin
pin ,
pin a b
frames
budget bytes
budget time
budget time 1h speed 3
