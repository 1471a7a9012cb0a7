-- What all scripts begin with: the limits of one model as they stand now.
--
-- KEYS: state (a hash), calls in flight (a sorted set of calls by the second they are given up),
-- workers that ask (a sorted set by the second they last asked), how many wait in each of them (a
-- hash). ARGV 1 to 4: the time in seconds, negative for this server's own; the operator's limits of
-- requests and tokens a minute and of calls in flight, 0 for none. The arithmetic is that of
-- gcra.py.
local BURST, LIVE_SHARE, LIVE_CALLS, IN_FLIGHT_WAIT, EPSILON = 0.04, 0.5, 10, 0.25, 1e-6
local STATE_SECONDS, MINUTE = 86400, 60
-- Additive increase, multiplicative decrease (Chiu and Jain 1989): the allowance is a share of the
-- limits, DECREASE times what it was after a refusal, once for all calls that were under way, less
-- (to MAX_DECREASE times) after one with a long Retry-After, and FLOOR at the least; it comes back
-- by RECOVERY a second, from 0.05 to 1 in half an hour.
local FLOOR, DECREASE, MAX_DECREASE, RECOVERY = 0.05, 0.85, 0.5, 1 / 1800
-- Slow start of a model of which nothing is known, see gcra.py.
local FIRST_CALLS, PLAIN_REPLIES, DOUBLING_SECONDS = 4, 4, 2

local state, flight, askers, waiting = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local now = tonumber(ARGV[1])
if now < 0 then
    local time = redis.call('TIME')
    now = time[1] + time[2] / 1e6
end

local fields = redis.call('HGETALL', state)
local was = {}
for i = 1, #fields, 2 do was[fields[i]] = tonumber(fields[i + 1]) end

local function value(name, otherwise) return was[name] or otherwise end

local changed = {}
local function set(name, number)
    was[name] = number
    changed[#changed + 1] = name
    changed[#changed + 1] = string.format('%.6f', number)
end

local function store()
    if #changed > 0 then
        redis.call('HSET', state, unpack(changed))
        redis.call('EXPIRE', state, STATE_SECONDS)
    end
end

local function lower(configured, stated)
    if configured == 0 then return stated end
    if stated == 0 then return configured end
    return math.min(configured, stated)
end

local function allowance()
    local since = now - value('allowance_at', now)
    return math.min(1, value('allowance', 1) + RECOVERY * math.max(since, 0))
end

local function limit(name)
    local configured = tonumber(ARGV[name == 'requests' and 2 or 3])
    return lower(configured, value('stated_' .. name, 0))
end

-- Whether the model has a limit of any kind; 'open' once its replies have stated none, else 'new'.
local function standing()
    if limit('requests') + limit('tokens') + tonumber(ARGV[4]) > 0 then return 'limited' end
    return was.open and 'open' or 'new'
end

-- Of 'requests' or 'tokens'; nil where they are not limited.
local function bucket(name)
    local per_minute = limit(name) * allowance()
    if per_minute == 0 then return nil end
    local least = name == 'requests' and 1 or 0
    local burst = math.max(least, per_minute * BURST)
    return {at = name .. '_at', least = least, burst = burst,
            rate = (per_minute - burst + least) / MINUTE}
end

local function charge(b, amount)
    if b == nil or amount == 0 then return end
    local at = value(b.at, 0)
    if amount > 0 then
        -- No debt outlasts the minute that the server looks at.
        set(b.at, math.max(at, math.min(math.max(at, now) + amount / b.rate, now + MINUTE)))
    else
        set(b.at, at + amount / b.rate)
    end
end

-- What take.lua and settle.lua return after how many may go and how long the next one waits.
local function known(taken, wait)
    return {tostring(taken), tostring(wait), tostring(value('ratio', 1)),
            tostring(redis.call('ZCARD', askers)), tostring(allowance()),
            tostring(limit('requests')), tostring(limit('tokens')), standing()}
end
