-- Shows the limits of a model. Changes nothing.
--
-- Returns strings: the allowance, the limits of requests and tokens in force (0: none), the seconds
-- for which its server wants to be left alone, the calls in flight where they are limited, the
-- workers that have asked in the last minute, and how many wait in them.

-- A worker in which some wait asks every second or so.
local ASKING_SECONDS = 5

local waiting_now = 0
local asking = redis.call('ZRANGEBYSCORE', askers, now - ASKING_SECONDS, '+inf')
if #asking > 0 then
    for _, count in ipairs(redis.call('HMGET', waiting, unpack(asking))) do
        waiting_now = waiting_now + (tonumber(count) or 0)
    end
end
return {tostring(allowance()), tostring(limit('requests')), tostring(limit('tokens')),
        tostring(math.max(0, value('held_until', 0) - now)),
        tostring(redis.call('ZCOUNT', flight, now, '+inf')),
        tostring(redis.call('ZCOUNT', askers, now - 60, '+inf')), tostring(waiting_now)}
