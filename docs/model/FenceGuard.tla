----------------------------- MODULE FenceGuard -----------------------------
(***************************************************************************)
(* The other half of fencing: the resource judges. Nothing is assumed of  *)
(* the lock but its fences: any number of holders believe in their leases *)
(* at once, and pause between any two steps.                               *)
(*                                                                         *)
(* A holder works like the body of run(): it shows its fence when it      *)
(* reads, and again with its write.                                        *)
(*                                                                         *)
(* Mutation names the one rule that is broken; "none" is the protocol.    *)
(***************************************************************************)
EXTENDS Integers, Sequences

CONSTANTS
    Grants,       \* how many leases are granted, one after the other
    Writes,       \* how often each holder writes at most
    Losses,       \* how often the store of the locks loses its counter
    TimeFloored,  \* FenceMode.TIME_FLOORED: the fence is at least the store's time
    Mutation

VARIABLES
    counter,      \* of the lock's store
    time,         \* of the lock's store; moves between two grants
    losses,
    lease,        \* the leases in the order of their grants: fence, what was read, what is about to be written
    highest,      \* at the resource: the highest fence it has seen
    data,         \* at the resource: how often it was written
    author,       \* ghost: the latest lease whose write was accepted
    lost,         \* ghost: a write was overwritten by one that had not read it
    stale         \* ghost: a write was accepted after one of a later lease

vars == <<counter, time, losses, lease, highest, data, author, lost, stale>>

Max(a, b) == IF a > b THEN a ELSE b
Mutated(name) == Mutation = name
Leases == DOMAIN lease

Init ==
    /\ counter = 0 /\ time = 1 /\ losses = 0
    /\ lease = <<>>
    /\ highest = 0 /\ data = 0
    /\ author = 0 /\ lost = FALSE /\ stale = FALSE

Grant ==  \* acquire.lua: one atomic step; the leases before it may all be believed still
    LET fence == IF TimeFloored THEN Max(counter + 1, time) ELSE counter + 1
    IN  /\ Len(lease) < Grants
        /\ counter' = fence
        /\ time' = time + 1
        /\ lease' = Append(lease, [fence |-> fence, read |-> -1, checked |-> FALSE, writes |-> 0])
        /\ UNCHANGED <<losses, highest, data, author, lost, stale>>

LoseCounter ==  \* FLUSHALL, a failover, an eviction
    /\ losses < Losses
    /\ counter' = 0
    /\ losses' = losses + 1
    /\ UNCHANGED <<time, lease, highest, data, author, lost, stale>>

Admits(n) == lease[n].fence >= highest

Read(n) ==  \* one transaction of the resource: the fence is compared and kept, the data are read
    /\ lease[n].read = -1 /\ lease[n].writes < Writes
    /\ Admits(n) \/ Mutated("read without fence")
    /\ lease' = [lease EXCEPT ![n].read = data]
    /\ highest' = IF Mutated("read without fence") THEN highest ELSE Max(highest, lease[n].fence)
    /\ UNCHANGED <<counter, time, losses, data, author, lost, stale>>

Check(n) ==  \* broken: a transaction of its own before that of the write
    /\ Mutated("check outside the transaction")
    /\ lease[n].read # -1 /\ Admits(n)
    /\ lease' = [lease EXCEPT ![n].checked = TRUE]
    /\ UNCHANGED <<counter, time, losses, highest, data, author, lost, stale>>

Write(n) ==  \* one transaction of the resource: compare, keep and write
    /\ lease[n].read # -1
    /\ IF Mutated("check outside the transaction") THEN lease[n].checked
       ELSE Admits(n) \/ Mutated("no guard")
    /\ highest' = Max(highest, lease[n].fence)
    /\ data' = data + 1
    /\ author' = n
    /\ stale' = (stale \/ n < author)
    /\ lost' = (lost \/ lease[n].read # data)
    /\ lease' = [lease EXCEPT ![n].read = -1, ![n].checked = FALSE, ![n].writes = @ + 1]
    /\ UNCHANGED <<counter, time, losses>>

Next ==
    \/ Grant \/ LoseCounter
    \/ \E n \in Leases : Read(n) \/ Check(n) \/ Write(n)

Spec == Init /\ [][Next]_vars

----------------------------------------------------------------------------
(* The promises *)

NoStaleWrite == ~stale
NoLostWrite == ~lost

FencesIncrease == \A m, n \in Leases : m < n => lease[m].fence < lease[n].fence

NewestIsAdmitted == Leases # {} => Admits(Len(lease))
=============================================================================
