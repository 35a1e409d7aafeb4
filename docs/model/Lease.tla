------------------------------- MODULE Lease -------------------------------
(***************************************************************************)
(* The lease of one key: what the store has, what its holders believe.    *)
(*                                                                         *)
(* A holder is one acquire with its lock id. Any request may be executed  *)
(* late, twice or never, and any reply may be read late, twice or never;  *)
(* only a replacing extension is not executed twice, because connections  *)
(* that repeat requests by themselves are refused (decision A1). A process *)
(* that pauses does nothing while time passes.                             *)
(*                                                                         *)
(* Mutation names the one rule that is broken; "none" is the protocol.    *)
(***************************************************************************)
EXTENDS Integers, FiniteSets, TLC

CONSTANTS
    Acquires,     \* how many acquires there are, each with its lock id and a clock of its own
    Ttl,          \* what an acquire asks for
    Replacements, \* what a replacing extension may ask for
    Renewals,     \* what a renewal may ask for
    Slew,         \* what two clocks may differ by after a ttl: a thousandth of it
    Skew,         \* 0 if the store has the time; Firestore: how far the wall clocks of clients may be apart
    Tolerance,    \* how long contenders respect a lock after its end
    Extenders,    \* how many of the holders extend their leases
    Extensions,   \* how many extensions there are at most
    Mutation

VARIABLES
    now,          \* true time; the store's clock
    lag,          \* how far the monotonic clock of a holder is behind
    ahead,        \* how far the wall clock of a holder is ahead of the last one's, if it is the store's time
    lock,         \* what is stored: owner, end and fence; it stands there after its end, too
    counter,      \* the fence counter of the key
    holder,       \* what each holder knows
    requests,     \* the extensions that were sent
    replies       \* all replies

vars == <<now, lag, ahead, lock, counter, holder, requests, replies>>

Holders == 1..Acquires  \* in the order in which they first ask
Nobody == 0
Forever == 99
Min(a, b) == IF a < b THEN a ELSE b
Max(a, b) == IF a > b THEN a ELSE b
Mutated(name) == Mutation = name

Local(h) == now - lag[h]        \* GuardClock.look()
StoreTime(h) == now + ahead[h]  \* the time by which the request of h is judged
Believes(h) == holder[h].state = "held" /\ Local(h) < holder[h].deadline  \* LeaseState.isBelieved()
Active(h) == holder[h].state \in {"asking", "held"}
MayExtend(h) == h <= Extenders /\ Cardinality(requests) < Extensions /\ Believes(h) /\ ~holder[h].replacing

Init ==
    /\ now = 0
    /\ lag = [h \in Holders |-> 0]
    /\ ahead \in {a \in [Holders -> 0..Skew] : \E h \in Holders : a[h] = 0}
    /\ lock = [id |-> Nobody, end |-> 0, fence |-> 0]
    /\ counter = 0
    /\ holder = [h \in Holders |-> [state |-> "idle", sent |-> 0, deadline |-> 0, generation |-> 0,
                                    replacing |-> FALSE, pending |-> Forever]]
    /\ requests = {}
    /\ replies = {}

Change(h, state) == holder' = [holder EXCEPT ![h] = state]
Reply(reply) == replies' = replies \cup {reply}

(* The clock of a holder may run slower than the store's, but not by more than Slew during its lease. *)
Tick ==
    /\ now' = now + 1
    /\ lag' \in {l \in [Holders -> 0..Slew] : \A h \in Holders : l[h] - lag[h] \in IF Active(h) THEN {0, 1} ELSE {0}}
    /\ UNCHANGED <<ahead, lock, counter, holder, requests, replies>>

----------------------------------------------------------------------------
(* The store: acquire.lua, extend.lua, release.lua, and their like. Each is one atomic step. *)

Answer(h) ==  \* to the acquire of h
    IF lock.id = h /\ lock.end > StoreTime(h) /\ ~Mutated("A1") THEN "granted before"
    ELSE IF lock.id # Nobody /\ lock.end + Tolerance > StoreTime(h) THEN "contended" ELSE "granted"

Acquire(h) ==  \* contended: nothing changes; the caller asks again or gives up
    LET grant(remaining) == [to |-> h, kind |-> "granted", sent |-> holder[h].sent, remaining |-> remaining]
    IN  /\ holder[h].state # "idle"
        /\ \/ /\ Answer(h) = "granted before"
              /\ Reply(grant(lock.end - StoreTime(h)))
              /\ UNCHANGED <<lock, counter>>
           \/ /\ Answer(h) = "granted"
              /\ counter' = counter + 1
              /\ lock' = [id |-> h, end |-> StoreTime(h) + Ttl, fence |-> counter + 1]
              /\ Reply(grant(Ttl))
        /\ UNCHANGED <<now, lag, ahead, holder, requests>>

Extend(r) ==
    LET h == r.from
        time == StoreTime(h)
        wanted == time + r.ttl
        shortens == r.mode = "replace" \/ Mutated("E2 late renewal replaces")
        end == IF shortens THEN wanted ELSE Max(lock.end, wanted)
        once == r.mode = "replace" /\ ~Mutated("A1 replayed extension")
        live == lock.end + (IF Mutated("T1") THEN Tolerance ELSE 0) > time
    IN  /\ lock.id = h \/ (Mutated("A5 no owner check") /\ lock.id # Nobody)
        /\ live /\ ~r.executed
        /\ lock' = [lock EXCEPT !.end = end]
        /\ Reply([to |-> h, kind |-> r.mode, sent |-> r.sent, remaining |-> end - time, ttl |-> r.ttl,
                  generation |-> r.generation])
        /\ requests' = IF once THEN (requests \ {r}) \cup {[r EXCEPT !.executed = TRUE]} ELSE requests
        /\ UNCHANGED <<now, lag, ahead, counter, holder>>

Delete(h) ==
    /\ holder[h].state = "over"
    /\ \/ lock.id = h
       \/ Mutated("A5 no owner check") /\ lock.id # Nobody
       \/ Mutated("A5 expiry before owner") /\ lock.id # Nobody /\ lock.end <= StoreTime(h)
    /\ lock' = [lock EXCEPT !.id = Nobody]
    /\ counter' = IF Mutated("REL-4") THEN 0 ELSE counter
    /\ UNCHANGED <<now, lag, ahead, holder, requests, replies>>

----------------------------------------------------------------------------
(* The holder: Acquire, LeaseTime, LeaseState, LeaseExtension, LeaseRenewal. *)

Ask(h) ==  \* for the first time, or again with the same lock id
    /\ holder[h].state \in {"idle", "asking"}
    /\ \A g \in 1..(h - 1) : holder[g].state # "idle"
    /\ Change(h, [holder[h] EXCEPT !.state = "asking", !.sent = Local(h)])
    /\ UNCHANGED <<now, lag, ahead, lock, counter, requests, replies>>

(* Deadlines.of and Deadlines.lasting *)
Deadline(h, sent, remaining) ==
    LET from == IF Mutated("T3") THEN Local(h) ELSE sent
        slew == IF Mutated("T3 no slew") THEN 0 ELSE Slew
    IN  from + remaining - slew

Granted(h, r) ==  \* AcquireRequests.admit
    LET remaining == IF Mutated("ACQ-3") THEN Ttl ELSE Min(Ttl, r.remaining)
        deadline == Deadline(h, r.sent, remaining)
    IN  /\ r.kind = "granted" /\ holder[h].state = "asking" /\ r.sent = holder[h].sent
        /\ Change(h, [holder[h] EXCEPT !.state = IF Local(h) < deadline THEN "held" ELSE "over",
                                       !.deadline = deadline])

Replaced(h, r) ==  \* LeaseTime.replaced
    /\ r.kind = "replace" /\ holder[h].replacing /\ r.generation = holder[h].generation
    /\ Change(h, [holder[h] EXCEPT
            !.replacing = FALSE,
            !.pending = IF Mutated("E2 forgets") THEN Forever ELSE @,
            !.deadline = Deadline(h, r.sent, Min(r.ttl, Min(r.remaining, holder[h].pending)))])

Prolonged(h, r) ==  \* LeaseTime.prolonged
    /\ r.kind = "at least" /\ (r.generation = holder[h].generation \/ Mutated("LSE-8"))
    /\ Change(h, [holder[h] EXCEPT
            !.pending = IF Mutated("E2 forgets") THEN Forever ELSE @,
            !.deadline = Max(@, Deadline(h, r.sent, Min(r.remaining, holder[h].pending)))])

Read(r) ==  \* an extension whose reply comes after the deadline does not count
    /\ \/ Granted(r.to, r)
       \/ Believes(r.to) /\ (Replaced(r.to, r) \/ Prolonged(r.to, r))
    /\ UNCHANGED <<now, lag, ahead, lock, counter, requests, replies>>

Send(h, mode, ttl, generation) ==
    requests' = requests \cup {[from |-> h, mode |-> mode, ttl |-> ttl, sent |-> Local(h), generation |-> generation,
                                executed |-> FALSE]}

Replace(h, ttl) ==  \* by hand, one at a time; LeaseTime.replacing
    /\ MayExtend(h)
    /\ Send(h, "replace", ttl, holder[h].generation + 1)
    /\ Change(h, [holder[h] EXCEPT
            !.generation = @ + 1,
            !.replacing = TRUE,
            !.deadline = IF Mutated("E1") THEN @ ELSE Min(@, Local(h) + ttl - Slew)])
    /\ UNCHANGED <<now, lag, ahead, lock, counter, replies>>

NotAnswered(h) ==  \* LeaseTime.unanswered: the request may still arrive, at any time
    /\ holder[h].replacing
    /\ \E r \in requests :
        /\ r.from = h /\ r.mode = "replace" /\ r.generation = holder[h].generation
        /\ Change(h, [holder[h] EXCEPT
                !.replacing = FALSE,
                !.pending = IF Mutated("LSE-9") THEN @ ELSE Min(@, r.ttl)])
    /\ UNCHANGED <<now, lag, ahead, lock, counter, requests, replies>>

Renew(h, ttl) ==  \* a renewal, or extendAtLeast by hand
    /\ MayExtend(h)
    /\ Send(h, "at least", ttl, holder[h].generation)
    /\ IF Mutated("E2 renewal remembered")
       THEN Change(h, [holder[h] EXCEPT !.deadline = Min(@, Local(h) + ttl - Slew)])
       ELSE UNCHANGED holder
    /\ UNCHANGED <<now, lag, ahead, lock, counter, replies>>

GiveUp(h) ==  \* released, lost, or taken back: a release is sent, and may arrive at any time
    /\ holder[h].state \in {"asking", "held"}
    /\ Change(h, [holder[h] EXCEPT !.state = "over"])
    /\ UNCHANGED <<now, lag, ahead, lock, counter, requests, replies>>

Extended == \E r \in requests : Extend(r)
Answered == \E r \in replies : Read(r)

Next ==
    \/ Tick
    \/ \E h \in Holders :
        \/ Ask(h) \/ Acquire(h) \/ GiveUp(h) \/ Delete(h) \/ NotAnswered(h)
        \/ \E ttl \in Replacements : Replace(h, ttl)
        \/ \E ttl \in Renewals : Renew(h, ttl)
    \/ Extended
    \/ Answered

Spec == Init /\ [][Next]_vars

----------------------------------------------------------------------------
(* The promises *)

BelievedLeasesNeverOverlap == \A g, h \in Holders : Believes(g) /\ Believes(h) => g = h

BeliefIsStored == \A h \in Holders : Believes(h) => lock.id = h /\ lock.end > StoreTime(h)

Granting == counter' # counter /\ lock'.id # Nobody
FencesIncrease == [][Granting => lock'.fence > lock.fence]_vars

ExpiredStaysExpired ==  \* as long as the owner is the same; a grant is a new lock
    [][\A h \in Holders : lock.id = h /\ lock'.id = h /\ lock'.fence = lock.fence /\ lock.end <= StoreTime(h)
            => lock'.end = lock.end]_vars

OnlyByItsOwner ==  \* nothing but a grant, its release or its extension changes the lock of a holder
    [][\A h \in Holders : lock.id = h /\ lock' # lock /\ ~Granting
            => IF lock'.id = Nobody THEN holder[h].state = "over" ELSE \E r \in requests : r.from = h]_vars

RenewalsNeverShorten ==
    [][\A h \in Holders : holder'[h].generation = holder[h].generation /\ ~holder[h].replacing
            => holder'[h].deadline >= holder[h].deadline]_vars

NeverLockedOutByItself ==
    \A h \in Holders : lock.id = h /\ lock.end > StoreTime(h) => Answer(h) = "granted before"

----------------------------------------------------------------------------
(* Only differences of times matter: states that differ in nothing else are one. What can have no effect is left out. *)

Ahead(h, time) == Max(time - Local(h), -4)
Current(h, r) == Believes(h) /\ (r.generation = holder[h].generation \/ Mutated("LSE-8"))
Sent(r) == <<r.from, r.mode, r.ttl, r.executed, IF Current(r.from, r) THEN <<Ahead(r.from, r.sent)>> ELSE <<>> >>
Got(r) == <<r.to, r.kind, r.remaining, Ahead(r.to, r.sent), IF r.kind = "granted" THEN 0 ELSE r.ttl>>
Counts(r) == IF r.kind = "granted" THEN holder[r.to].state = "asking" /\ r.sent = holder[r.to].sent ELSE Current(r.to, r)
Known(h) ==
    LET s == holder[h]
    IN  IF s.state = "asking" THEN <<lag[h], Ahead(h, s.sent)>>
        ELSE IF Believes(h) THEN <<lag[h], Ahead(h, s.deadline), s.replacing, s.pending>>
        ELSE s.state
View ==
    <<ahead,
      IF lock.id = Nobody THEN <<>> ELSE <<lock.id, Max(lock.end - now, 0 - Tolerance - Skew)>>,
      [h \in Holders |-> Known(h)],
      [s \in {Sent(r) : r \in requests} |-> Cardinality({r \in requests : Sent(r) = s})],
      {Got(r) : r \in {r \in replies : Counts(r)}}>>
=============================================================================
