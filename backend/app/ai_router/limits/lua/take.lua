-- Lets as many of the asks go as there is allowance for, from the first on.
--
-- ARGV from 5: the worker's id; the seconds after which a call is given up; how many wait in this
-- worker, the asks included; then four for each ask: id, requests, tokens by estimate, 1 for bulk.
-- Returns strings: how many may go, the seconds that the next one waits, by what its estimate was
-- multiplied, workers that have asked in the last minute, the allowance, the limits of requests and
-- tokens in force (0: none), and 'limited', 'open' (its replies state no limit) or 'new' (not known
-- yet).
local WORKER_SECONDS, LIVE_GRACE = 60, 0.3

local requests, tokens = bucket('requests'), bucket('tokens')
local most = tonumber(ARGV[4])
local ratio = value('ratio', 1)
local held = 0
local is_new = standing() == 'new'
if most > 0 or is_new then
    redis.call('ZREMRANGEBYSCORE', flight, '-inf', now)
    held = redis.call('ZCARD', flight)
end
if is_new then
    if held == 0 then set('began', now) end
    local doublings = math.floor((now - value('began', now)) / DOUBLING_SECONDS)
    most = FIRST_CALLS * 2 ^ doublings + value('replies', 0)
end

local function wait_of(b, amount, bulk)
    if b == nil then return 0 end
    local burst = b.burst
    if bulk then burst = math.max(b.least, burst * (1 - LIVE_SHARE)) end
    return math.max(value(b.at, 0) - now, 0) - (burst - math.min(amount, burst)) / b.rate
end

local function wait_for(ask)
    local wait = math.max(value('held_until', 0) - now,
        wait_of(requests, ask.requests, ask.bulk), wait_of(tokens, ask.tokens, ask.bulk))
    if most > 0 then
        local room = ask.bulk and most - math.floor(most / LIVE_CALLS) or most
        if held > 0 and held + ask.requests > room then wait = math.max(wait, IN_FLIGHT_WAIT) end
    end
    -- A fresh answer waits somewhere, and goes first.
    if ask.bulk then wait = math.max(wait, value('live_until', 0) - now) end
    return wait > EPSILON and wait or 0
end

local taken, wait = 0, 0
for i = 8, #ARGV, 4 do
    local ask = {requests = tonumber(ARGV[i + 1]), tokens = tonumber(ARGV[i + 2]) * ratio,
                 bulk = ARGV[i + 3] == '1'}
    wait = wait_for(ask)
    if wait > 0 then
        if not ask.bulk then set('live_until', now + wait + LIVE_GRACE) end
        break
    end
    charge(requests, ask.requests)
    charge(tokens, ask.tokens)
    if most > 0 then
        for call = 1, ask.requests do
            redis.call('ZADD', flight, now + tonumber(ARGV[6]), ARGV[i] .. '/' .. call)
        end
        redis.call('EXPIRE', flight, STATE_SECONDS)
        held = held + ask.requests
    end
    taken = taken + 1
end
store()

redis.call('ZADD', askers, now, ARGV[5])
redis.call('HSET', waiting, ARGV[5], tonumber(ARGV[7]) - taken)
local gone = redis.call('ZRANGEBYSCORE', askers, '-inf', now - WORKER_SECONDS)
if #gone > 0 then
    redis.call('ZREM', askers, unpack(gone))
    redis.call('HDEL', waiting, unpack(gone))
end
redis.call('EXPIRE', askers, STATE_SECONDS)
redis.call('EXPIRE', waiting, STATE_SECONDS)
return known(taken, wait)
