-- Shows the limits of a model. Changes nothing.
--
-- Returns strings: the allowance, the limits of requests and tokens in force (0: none), the seconds
-- for which its server wants to be left alone, the calls in flight where they are limited, and the
-- workers that have asked in the last minute.
return {tostring(allowance()), tostring(limit('requests')), tostring(limit('tokens')),
        tostring(math.max(0, value('held_until', 0) - now)),
        tostring(redis.call('ZCOUNT', flight, now, '+inf')),
        tostring(redis.call('ZCOUNT', askers, now - 60, '+inf'))}
