----------------------------- MODULE Lifecycle -----------------------------
(***************************************************************************)
(* The acquires of one guard, from the first request to the end of the    *)
(* guard: replies that are lost, Errors, releases that fail, close() and a *)
(* process that dies. Whatever the store granted has an owner, is being    *)
(* taken back, is named in the log by close(), or has expired.             *)
(*                                                                         *)
(* Mutation names the one rule that is broken; "none" is the protocol.    *)
(***************************************************************************)
EXTENDS Integers, FiniteSets, TLC

CONSTANTS
    Acquires,   \* how many acquires there are, each with its lock id; all for one key
    Ttl,
    Delay,      \* how long a request that is given up may still be on its way: a command timeout
    Unanswered, \* how many replies an acquire may go without
    Patient,    \* whether contention is waited out: only to show that waiting ends
    Mutation

VARIABLES
    guard,      \* "open", "closing", "closed" or "dead"
    call,       \* the acquires
    late,       \* requests that were given up and may still arrive: how many, and how long
    job,        \* BackgroundRelease of each acquire
    lock,       \* who holds the lock, and for how long
    named,      \* acquires that close() has named in the log, because their locks may stay
    silence     \* for how long the guard has ended and none of its requests has been on its way

vars == <<guard, call, late, job, lock, named, silence>>

Calls == 1..Acquires
Free == [by |-> 0, left |-> 0]
Foreign == 100    \* a process that died earlier
Forgotten == 101  \* a lock id that nobody knows any more
Worthwhile == Ttl + Delay + 1  \* BackgroundRelease.worthwhile
Mutated(name) == Mutation = name
Ended == guard \in {"closed", "dead"}

Init ==
    /\ guard = "open"
    /\ call = [c \in Calls |-> [state |-> "idle", reply |-> "none", unanswered |-> 0]]
    /\ late = [c \in Calls |-> [count |-> 0, left |-> 0]]
    /\ job = [c \in Calls |-> [on |-> FALSE, known |-> FALSE, mayArrive |-> 0, left |-> 0]]
    /\ lock \in {Free, [by |-> Foreign, left |-> Ttl]}
    /\ named = {}
    /\ silence = 0

State(c) == call[c].state
Becomes(c, state) == call' = [call EXCEPT ![c].state = state, ![c].reply = "none"]
TakenBy(c) == [by |-> c, left |-> Ttl]
Without(c) == IF lock.by = c THEN Free ELSE lock
NoJob == UNCHANGED job
TakeBack(c, granted, unanswered) ==
    job' = [job EXCEPT ![c] = [on |-> TRUE, known |-> granted, mayArrive |-> unanswered, left |-> Worthwhile]]

Tick ==
    /\ lock' = IF lock.left <= 1 THEN Free ELSE [lock EXCEPT !.left = @ - 1]
    /\ job' = [c \in Calls |-> [job[c] EXCEPT !.left = IF @ = 0 THEN 0 ELSE @ - 1]]
    /\ late' = [c \in Calls |->
            IF late[c].left <= 1 THEN [count |-> 0, left |-> 0] ELSE [late[c] EXCEPT !.left = @ - 1]]
    /\ silence' = IF Ended /\ (\A c \in Calls : late[c].count = 0 /\ State(c) # "asking") /\ silence <= Ttl
                  THEN silence + 1 ELSE silence
    /\ UNCHANGED <<guard, call, named>>

----------------------------------------------------------------------------
(* Acquire: one request after the other, with one lock id *)

Start(c) ==
    /\ guard = "open" /\ State(c) = "idle"
    /\ \A b \in 1..(c - 1) : State(b) # "idle"
    /\ Becomes(c, "asking")
    /\ UNCHANGED <<guard, late, job, lock, named, silence>>

Execute(c) ==  \* by the store: the request, or a copy of it that the driver sends after a reconnect
    LET granted == lock.by = 0 \/ (lock.by = c /\ ~Mutated("A1"))
    IN  /\ State(c) = "asking" /\ call[c].reply \in {"none", "granted"} /\ guard # "dead"
        /\ call' = [call EXCEPT ![c].reply = IF granted THEN "granted" ELSE "contended"]
        /\ lock' = IF lock.by = 0 THEN TakenBy(c) ELSE lock
        /\ UNCHANGED <<guard, late, job, named, silence>>

Arrive(c) ==  \* a request that was given up
    /\ late[c].count > 0
    /\ late' = [late EXCEPT ![c].count = @ - 1]
    /\ lock' = IF lock.by = 0 THEN TakenBy(c) ELSE lock
    /\ UNCHANGED <<guard, call, job, named, silence>>

Deliver(c) ==  \* a guard that closes gives the lease back at once
    /\ State(c) = "asking" /\ call[c].reply = "granted" /\ ~Ended
    /\ Becomes(c, IF guard = "open" THEN "held" ELSE "releasing")
    /\ UNCHANGED <<guard, late, job, lock, named, silence>>

GrantFails(c) ==  \* AcquireRequests.admit: any Throwable, or a reply after the deadline
    /\ State(c) = "asking" /\ call[c].reply = "granted" /\ ~Ended
    /\ Becomes(c, IF Mutated("ASY-3") THEN "forgotten" ELSE "done")
    /\ IF Mutated("E4") THEN NoJob ELSE TakeBack(c, TRUE, call[c].unanswered)
    /\ UNCHANGED <<guard, late, lock, named, silence>>

Contended(c) ==  \* a known outcome; what was unknown before is taken back
    /\ State(c) = "asking" /\ call[c].reply = "contended" /\ ~Ended
    /\ IF Patient /\ guard = "open" THEN Becomes(c, "asking") /\ NoJob
       ELSE /\ Becomes(c, "done")
            /\ IF call[c].unanswered > 0 THEN TakeBack(c, FALSE, call[c].unanswered) ELSE NoJob
    /\ UNCHANGED <<guard, late, lock, named, silence>>

GiveUpRequest(c) ==  \* its outcome is unknown: it is repeated with the same lock id, or taken back
    LET next == call[c].unanswered + 1
    IN  /\ State(c) = "asking" /\ ~Ended /\ call[c].unanswered < Unanswered
        /\ late' = [late EXCEPT ![c] = [count |-> @.count + (IF call[c].reply = "none" THEN 1 ELSE 0), left |-> Delay]]
        /\ \E state \in (IF Patient THEN {"asking"} ELSE {"asking", "done"}) :
            /\ call' = [call EXCEPT ![c] = [state |-> state, reply |-> "none",
                                            unanswered |-> IF Mutated("A2 new id") THEN 0 ELSE next]]
            /\ IF state = "done" /\ ~Mutated("A2 no compensation") THEN TakeBack(c, FALSE, next) ELSE NoJob
            /\ lock' = IF state = "asking" /\ Mutated("A2 new id") /\ lock.by = c
                       THEN [lock EXCEPT !.by = Forgotten] ELSE lock
        /\ UNCHANGED <<guard, named, silence>>

----------------------------------------------------------------------------
(* LeaseWatch and LeaseRelease *)

Renew(c) ==
    /\ State(c) = "held" /\ lock.by = c /\ (~Ended \/ (guard = "closed" /\ Mutated("DSP-8")))
    /\ lock' = TakenBy(c)
    /\ UNCHANGED <<guard, call, late, job, named, silence>>

Release(c) ==
    /\ State(c) = "held" /\ ~Ended
    /\ Becomes(c, "releasing")
    /\ UNCHANGED <<guard, late, job, lock, named, silence>>

Released(c) ==  \* a request of unknown outcome may lock again: ReleaseEnd.finished looks once more
    /\ State(c) = "releasing" /\ ~Ended
    /\ lock' = Without(c)
    /\ Becomes(c, "done")
    /\ IF call[c].unanswered > 0 /\ ~Mutated("CMP-2") THEN TakeBack(c, FALSE, call[c].unanswered) ELSE NoJob
    /\ UNCHANGED <<guard, late, named, silence>>

ReleaseFails(c) ==  \* executed or not
    /\ State(c) = "releasing" /\ ~Ended
    /\ lock' \in {lock, Without(c)}
    /\ Becomes(c, "done")
    /\ IF Mutated("E6") THEN NoJob ELSE TakeBack(c, TRUE, call[c].unanswered)
    /\ UNCHANGED <<guard, late, named, silence>>

----------------------------------------------------------------------------
(* Compensations and BackgroundRelease *)

Look(c) ==  \* Job.found and Job.lookAgain
    LET found == lock.by = c
        mayArrive == IF found /\ ~job[c].known THEN job[c].mayArrive - 1 ELSE job[c].mayArrive
        over == mayArrive <= 0 \/ job[c].left = 0
    IN  /\ job[c].on /\ ~Ended
        /\ lock' = Without(c)
        /\ \E stop \in IF over THEN {TRUE} ELSE IF guard = "closing" THEN {TRUE, FALSE} ELSE {FALSE} :
            /\ job' = [job EXCEPT ![c] = [@ EXCEPT !.on = ~stop, !.known = FALSE, !.mayArrive = mayArrive]]
            /\ named' = IF stop /\ ~over THEN named \cup {c} ELSE named
        /\ UNCHANGED <<guard, call, late, silence>>

LookFails(c) ==  \* executed or not
    /\ job[c].on /\ ~Ended
    /\ lock' \in {lock, Without(c)}
    /\ job' = [job EXCEPT ![c].on = job[c].left > 0]
    /\ UNCHANGED <<guard, call, late, named, silence>>

----------------------------------------------------------------------------
(* Shutdown *)

Close ==
    /\ guard = "open" /\ ~Patient
    /\ guard' = "closing"
    /\ UNCHANGED <<call, late, job, lock, named, silence>>

UnderWay(c) == State(c) \in {"asking", "releasing", "forgotten"}
End(guard2, withNames) ==
    /\ guard' = guard2
    /\ named' = IF withNames THEN named \cup {c \in Calls : UnderWay(c) \/ job[c].on \/ State(c) = "held"} ELSE named
    /\ late' = [c \in Calls |-> IF State(c) = "asking" /\ call[c].reply = "none"
                                THEN [count |-> late[c].count + 1, left |-> Delay] ELSE late[c]]
    /\ call' = [c \in Calls |-> IF UnderWay(c) THEN [call[c] EXCEPT !.state = "done"] ELSE call[c]]
    /\ job' = [c \in Calls |-> [job[c] EXCEPT !.on = FALSE]]
    /\ UNCHANGED <<lock, silence>>

Closed ==  \* all is over, or the limit has passed
    /\ guard = "closing"
    /\ \/ End("closed", TRUE)
       \/ /\ Mutated("E3")  \* does not wait for acquires under way, and does not know of them
          /\ guard' = "closed"
          /\ named' = named \cup {c \in Calls : State(c) = "held" \/ job[c].on}
          /\ UNCHANGED <<call, late, job, lock, silence>>

Die == guard \in {"open", "closing"} /\ ~Patient /\ End("dead", FALSE)

Next ==
    \/ Tick \/ Close \/ Closed \/ Die
    \/ \E c \in Calls :
        \/ Start(c) \/ Execute(c) \/ Arrive(c) \/ Deliver(c) \/ GrantFails(c) \/ Contended(c) \/ GiveUpRequest(c)
        \/ Renew(c) \/ Release(c) \/ Released(c) \/ ReleaseFails(c) \/ Look(c) \/ LookFails(c)

(* Time passes, the store answers in the end, callers time out, holders finish. *)
Fairness ==
    /\ WF_vars(Tick) /\ WF_vars(Closed)
    /\ \A c \in Calls :
        /\ WF_vars(Execute(c) /\ call[c].reply = "none") /\ WF_vars(Deliver(c) \/ GrantFails(c))
        /\ WF_vars(Contended(c)) /\ WF_vars(Release(c)) /\ WF_vars(Released(c)) /\ WF_vars(Look(c))

Spec == Init /\ [][Next]_vars
FairSpec == Spec /\ Fairness

----------------------------------------------------------------------------
(* The promises *)

Owned(c) == ~Ended /\ State(c) \in {"asking", "held", "releasing"}

NothingIsOrphaned ==
    guard # "dead" /\ lock.by \notin {0, Foreign}
        => lock.by \in Calls /\ (Owned(lock.by) \/ job[lock.by].on \/ lock.by \in named)

NothingOutlivesItsProcess == silence > Ttl => lock.by = 0

NeverLockedOutByItself ==  \* but by a request of its own that was given up, which it takes back
    [][\A c \in Calls : lock.by = c /\ lock'.by = c /\ call[c].reply # "contended"
            => call'[c].reply # "contended"]_vars

StagesEnd == \A c \in Calls : UnderWay(c) ~> ~UnderWay(c)

WaitersAreGranted == \A c \in Calls : State(c) = "asking" ~> State(c) # "asking" \/ lock.by = c
=============================================================================
