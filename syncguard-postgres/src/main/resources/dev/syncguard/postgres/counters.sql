-- How many counters there are, and how many of them another library created: this one never writes key_debug.
SELECT count(*) AS counters, count(key_debug) AS of_others FROM (SELECT key_debug FROM {counters} LIMIT {limit}) AS counted
