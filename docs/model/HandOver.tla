------------------------------ MODULE HandOver ------------------------------
(***************************************************************************)
(* A release that grants: the store gives the lock to the first of those  *)
(* who wait for it, in the step that releases it, and tells that one by a  *)
(* message. Messages and replies come late or never, waiters leave, freeze *)
(* and die, and a client of another language knows nothing of the queue.   *)
(*                                                                         *)
(* The scripts are release.lua, hand-over.lua, acquire.lua and extend.lua; *)
(* a client is Succession and its Acquire, and from its grant on the watch *)
(* of its lease, whose first renewal confirms. A message about an attempt  *)
(* that was refused before the last one is over: attempts have numbers.    *)
(*                                                                         *)
(* A grant that was handed over lasts for a short claim until its waiter   *)
(* confirms it, which gives it the whole ttl. Asking again is the floor:   *)
(* every waiter polls.                                                     *)
(*                                                                         *)
(* Mutation names the one rule that is broken; "none" is the protocol.    *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets, TLC

CONSTANTS
    Clients,    \* how many clients there are, each with one lock id
    Ttl,
    Claim,      \* how long a grant lasts that its waiter has not confirmed
    Patience,   \* how long a place in the queue lasts unless its client asks again
    Faults,     \* how many clients may freeze, die, or lose a reply or a message, together
    Foreign,    \* whether a client that knows no queue takes and deletes the lock once
    Mutation

VARIABLES
    lock,       \* the stored lock: who holds it, for how long, its fence, and the queue, which goes with it
    counter,    \* the stored fence counter
    client,     \* the clients
    message,    \* the grant that the store has told each client of
    faults,     \* faults that happened
    foreign,    \* "idle", "holding" or "done"
    newest,     \* ghost: the highest fence that a client was given
    unnoticed   \* ghost: how long the lock has been held by a waiter that does not know

vars == <<lock, counter, client, message, faults, foreign, newest, unnoticed>>

Ids == 1..Clients
Other == 100      \* the client of another language
Mutated(name) == Mutation = name

Free == [by |-> 0, left |-> 0, fence |-> 0, queue |-> <<>>]
Nothing == [on |-> FALSE, waited |-> 0, fence |-> 0]
NoReply == [kind |-> "none", left |-> 0, fence |-> 0]

Init ==
    /\ lock = Free
    /\ counter = 0
    /\ client = [c \in Ids |-> [state |-> "idle", asked |-> 0, reply |-> NoReply,
                                belief |-> 0, fence |-> 0, confirm |-> "no", frozen |-> FALSE]]
    /\ message = [c \in Ids |-> Nothing]
    /\ faults = 0
    /\ foreign = "idle"
    /\ newest = 0
    /\ unnoticed = 0

State(c) == client[c].state
Runs(c) == ~client[c].frozen /\ State(c) # "dead"
Min(a, b) == IF a < b THEN a ELSE b
Max(a, b) == IF a > b THEN a ELSE b

----------------------------------------------------------------------------
(* Time *)

\* Beyond this nothing that depends on the age of a request changes any more.
Oldest == Patience + Ttl + 1
Older(age) == Min(age + 1, Oldest)

Tick ==
    /\ lock' = IF lock.left <= 1 THEN Free
               ELSE [lock EXCEPT !.left = @ - 1,
                                 !.queue = [i \in DOMAIN @ |-> [@[i] EXCEPT !.waited = Older(@)]]]
    /\ client' = [c \in Ids |-> [client[c] EXCEPT !.asked = Older(@), !.belief = Max(0, @ - 1)]]
    /\ unnoticed' = IF lock'.by \in Ids /\ State(lock'.by) \in {"waiting", "done"}
                    THEN Min(unnoticed + 1, Ttl) ELSE 0
    /\ UNCHANGED <<counter, message, faults, foreign, newest>>

----------------------------------------------------------------------------
(* The scripts *)

Place(q, c) == {i \in DOMAIN q : q[i].by = c}
Without(q, c) == SelectSeq(q, LAMBDA entry : entry.by # c)

\* A refusal registers, or keeps the place of one that is registered.
Registered(q, c) ==
    IF Place(q, c) = {} THEN Append(q, [by |-> c, waited |-> 0])
    ELSE [i \in DOMAIN q |-> IF q[i].by = c THEN [q[i] EXCEPT !.waited = 0] ELSE q[i]]

\* The publish command has told somebody; a frozen client's connection is still there.
Hears(entry) == State(entry.by) # "dead" /\ entry.waited < Patience
Heirs(q) == SelectSeq(q, Hears)

\* What a release leaves: the lock of the first who waits, or none.
HandedOver ==
    LET heirs == Heirs(lock.queue)
        heir == Head(heirs)
        fence == IF Mutated("fence is kept") THEN lock.fence ELSE counter + 1
    IN  IF heirs = <<>>
        THEN /\ lock' = Free
             /\ UNCHANGED <<counter, message>>
        ELSE /\ lock' = [by |-> heir.by, left |-> IF Mutated("no claim") THEN Ttl ELSE Claim,
                         fence |-> fence, queue |-> Tail(heirs)]
             /\ counter' = fence
             /\ message' = [message EXCEPT ![heir.by] = [on |-> TRUE, waited |-> heir.waited, fence |-> fence]]

----------------------------------------------------------------------------
(* A client asks *)

Ask(c) ==  \* for the first time, or as a poll
    /\ Runs(c)
    /\ State(c) = "idle" \/ (State(c) = "waiting" /\ ~Mutated("no poll"))
    /\ client' = [client EXCEPT ![c].state = "asking", ![c].asked = 0, ![c].reply = NoReply]
    /\ UNCHANGED <<lock, counter, message, faults, foreign, newest, unnoticed>>

Granted(left, fence) == [kind |-> "granted", left |-> left, fence |-> fence]

Execute(c) ==  \* acquire.lua
    /\ State(c) = "asking" /\ client[c].reply.kind = "none"
    /\ IF lock.by = 0
       THEN /\ counter' = counter + 1
            /\ lock' = [by |-> c, left |-> Ttl, fence |-> counter + 1, queue |-> <<>>]
            /\ client' = [client EXCEPT ![c].reply = Granted(Ttl, counter + 1)]
       ELSE IF lock.by = c /\ ~Mutated("A1")
       THEN /\ client' = [client EXCEPT ![c].reply = Granted(lock.left, lock.fence)]
            /\ UNCHANGED <<lock, counter>>
       ELSE /\ lock' = [lock EXCEPT !.queue = Registered(@, c)]  \* another client's lock keeps it, too
            /\ client' = [client EXCEPT ![c].reply = [NoReply EXCEPT !.kind = "contended"]]
            /\ UNCHANGED counter
    \* What the store told of before this moment is over: the times in the message and in the reply say so.
    /\ message' = IF client'[c].reply.kind = "contended" /\ ~Mutated("old message counts")
                  THEN [message EXCEPT ![c] = Nothing] ELSE message
    /\ UNCHANGED <<faults, foreign, newest, unnoticed>>

\* Counted from before the request left. What was granted to it may be for a claim only: it is confirmed in any case.
Reply(c) ==
    LET reply == client[c].reply
        belief == reply.left - client[c].asked
    IN  /\ Runs(c) /\ State(c) = "asking" /\ reply.kind # "none"
        /\ client' = [client EXCEPT ![c] =
            IF reply.kind = "contended" THEN [@ EXCEPT !.state = "waiting", !.reply = NoReply]
            ELSE IF belief <= 0  \* of a claim it is no more than a reason to ask again
                 THEN [@ EXCEPT !.state = IF reply.left < Ttl THEN "waiting" ELSE "leaving", !.reply = NoReply]
            ELSE [@ EXCEPT !.state = "holding", !.reply = NoReply, !.belief = belief, !.fence = reply.fence,
                           !.confirm = IF reply.left < Ttl THEN "due" ELSE "done"]]
        /\ newest' = IF reply.kind = "granted" /\ belief > 0 THEN Max(newest, reply.fence) ELSE newest
        \* Only a refusal makes a message about its attempt count.
        /\ message' = IF reply.kind = "granted" THEN [message EXCEPT ![c] = Nothing] ELSE message
        /\ UNCHANGED <<lock, counter, faults, foreign, unnoticed>>

LoseReply(c) ==  \* asks again with the same lock id
    /\ faults < Faults
    /\ State(c) = "asking" /\ client[c].reply.kind # "none" /\ Runs(c)
    /\ client' = [client EXCEPT ![c].reply = NoReply, ![c].asked = 0]
    /\ faults' = faults + 1
    /\ UNCHANGED <<lock, counter, message, foreign, newest, unnoticed>>

----------------------------------------------------------------------------
(* A waiter is told *)

\* The store measured how long it waited from its registration to the grant, and the request that registered it left
\* before that: so the grant is not younger than this.
Receive(c) ==
    LET belief == IF Mutated("T3") THEN Claim ELSE message[c].waited + Claim - client[c].asked
    IN  /\ Runs(c) /\ State(c) = "waiting" /\ message[c].on
        /\ message' = [message EXCEPT ![c] = Nothing]
        /\ client' = [client EXCEPT ![c] =
            IF belief <= 0 THEN @  \* too late: no more than a reason to ask again
            ELSE [@ EXCEPT !.state = "holding", !.belief = belief, !.fence = message[c].fence, !.confirm = "due"]]
        /\ newest' = IF belief > 0 THEN Max(newest, message[c].fence) ELSE newest
        /\ UNCHANGED <<lock, counter, faults, foreign, unnoticed>>

LoseMessage(c) ==
    /\ message[c].on
    /\ faults < Faults
    /\ message' = [message EXCEPT ![c] = Nothing]
    /\ faults' = faults + 1
    /\ UNCHANGED <<lock, counter, client, foreign, newest, unnoticed>>

Confirm(c) ==  \* the first renewal leaves
    /\ Runs(c) /\ State(c) = "holding" /\ client[c].confirm = "due"
    /\ client' = [client EXCEPT ![c].confirm = "sent", ![c].asked = 0,
                                ![c].belief = IF Mutated("confirmed when sent") THEN Ttl ELSE @]
    /\ UNCHANGED <<lock, counter, message, faults, foreign, newest, unnoticed>>

ExecuteConfirm(c) ==  \* extend.lua, AT_LEAST, strict
    /\ client[c].confirm = "sent"
    /\ LET theirs == lock.by = c \/ Mutated("confirm does not ask whose")
       IN  /\ lock' = IF theirs THEN [lock EXCEPT !.by = c, !.left = Max(@, Ttl)] ELSE lock
           /\ client' = [client EXCEPT ![c].confirm = IF theirs THEN "executed" ELSE "refused"]
    /\ UNCHANGED <<counter, message, faults, foreign, newest, unnoticed>>

Confirmed(c) ==
    LET belief == Max(client[c].belief, Ttl - client[c].asked)
    IN  /\ Runs(c) /\ client[c].confirm \in {"executed", "refused"}
        /\ client' = [client EXCEPT ![c] =
            IF State(c) # "holding" THEN [@ EXCEPT !.confirm = "done"]
            ELSE IF @.confirm = "refused" \/ @.belief = 0
                 THEN [@ EXCEPT !.confirm = "done", !.belief = 0, !.state = "leaving"]  \* lost; it was told
            ELSE [@ EXCEPT !.confirm = "done", !.belief = belief]]
        /\ UNCHANGED <<lock, counter, message, faults, foreign, newest, unnoticed>>

----------------------------------------------------------------------------
(* A client gives back what it has, or its place *)

Leave(c) ==  \* the work is done, or the waiter has lost patience, or the lease is lost
    /\ Runs(c) /\ State(c) \in {"holding", "waiting"}
    /\ client' = [client EXCEPT ![c].state = "leaving", ![c].belief = 0]
    /\ UNCHANGED <<lock, counter, message, faults, foreign, newest, unnoticed>>

Left(c) ==  \* release.lua, which takes a waiter out of the queue in the same step
    /\ State(c) = "leaving"
    /\ client' = [client EXCEPT ![c].state = "done"]
    /\ IF lock.by = c /\ ~Mutated("leaves only the queue") THEN HandedOver
       ELSE /\ lock' = [lock EXCEPT !.queue = Without(@, c)]
            /\ UNCHANGED <<counter, message>>
    /\ UNCHANGED <<faults, foreign, newest, unnoticed>>

----------------------------------------------------------------------------
(* What else happens *)

Freeze(c) ==
    /\ faults < Faults /\ Runs(c) /\ State(c) # "done"
    /\ client' = [client EXCEPT ![c].frozen = TRUE]
    /\ faults' = faults + 1
    /\ UNCHANGED <<lock, counter, message, foreign, newest, unnoticed>>

Thaw(c) ==
    /\ client[c].frozen
    /\ client' = [client EXCEPT ![c].frozen = FALSE]
    /\ UNCHANGED <<lock, counter, message, faults, foreign, newest, unnoticed>>

Die(c) ==
    /\ faults < Faults /\ State(c) \notin {"dead", "done", "idle"}
    /\ client' = [client EXCEPT ![c].state = "dead", ![c].belief = 0, ![c].frozen = FALSE]
    /\ faults' = faults + 1
    /\ UNCHANGED <<lock, counter, message, foreign, newest, unnoticed>>

ForeignTakes ==
    /\ Foreign /\ foreign = "idle" /\ lock.by = 0
    /\ foreign' = "holding"
    /\ counter' = counter + 1
    /\ lock' = [by |-> Other, left |-> Ttl, fence |-> counter + 1, queue |-> <<>>]
    /\ UNCHANGED <<client, message, faults, newest, unnoticed>>

ForeignDeletes ==
    /\ foreign = "holding"
    /\ foreign' = "done"
    /\ lock' = IF lock.by = Other THEN Free ELSE lock
    /\ UNCHANGED <<counter, client, message, faults, newest, unnoticed>>

Next ==
    \/ Tick \/ ForeignTakes \/ ForeignDeletes
    \/ \E c \in Ids :
        \/ Ask(c) \/ Execute(c) \/ Reply(c) \/ LoseReply(c)
        \/ Receive(c) \/ LoseMessage(c) \/ Confirm(c) \/ ExecuteConfirm(c) \/ Confirmed(c)
        \/ Leave(c) \/ Left(c) \/ Freeze(c) \/ Thaw(c) \/ Die(c)

Spec == Init /\ [][Next]_vars

\* Time passes, requests are executed and answered, those who wait ask again, those who hold finish. A waiter need not
\* leave, and need not thaw.
Fairness ==
    /\ WF_vars(Tick) /\ WF_vars(ForeignDeletes)
    /\ \A c \in Ids :
        /\ SF_vars(Ask(c) /\ State(c) = "waiting") /\ WF_vars(Execute(c)) /\ WF_vars(Reply(c))
        /\ WF_vars(Leave(c) /\ State(c) = "holding") /\ WF_vars(Left(c))
        /\ WF_vars(ExecuteConfirm(c)) /\ WF_vars(Confirmed(c))

FairSpec == Spec /\ Fairness

----------------------------------------------------------------------------
(* The promises *)

Holds(c) == State(c) = "holding" /\ client[c].belief > 0

BelievedLeasesNeverOverlap == \A a, b \in Ids : a # b => ~(Holds(a) /\ Holds(b))

BeliefIsStored == \A c \in Ids : Holds(c) => lock.by = c /\ lock.left >= client[c].belief

FencesIncrease ==  \* in the order in which leases are delivered
    [][\A c \in Ids : ~Holds(c) /\ Holds(c)' => client'[c].fence > newest]_vars

\* However a waiter ends, the lock is not its own afterwards.
NothingIsOrphaned == \A c \in Ids : State(c) = "done" => lock.by # c

\* A grant that its waiter does not notice keeps the others waiting for less than the claim.
UnnoticedIsShort == unnoticed < Claim

NeverLockedOutByItself ==
    [][\A c \in Ids : lock.by = c /\ lock'.by = c /\ client[c].reply.kind # "contended"
            => client'[c].reply.kind # "contended"]_vars

\* First come, first served: nobody who stands in the queue and hears is passed over.
InOrder ==
    [][\A c \in Ids : lock'.by = c /\ lock.by \notin {0, c} /\ Heirs(lock.queue) # <<>>
            => Head(Heirs(lock.queue)).by = c]_vars

WaitersAreGranted ==
    \A c \in Ids : State(c) \in {"asking", "waiting"} ~>
        State(c) \notin {"asking", "waiting"} \/ client[c].frozen
=============================================================================
