-- Makes what was taken by estimate into what was used, and adapts the allowance.
--
-- ARGV from 5: requests and tokens more than were taken (negative: fewer); tokens of calls by
-- estimate and in truth; calls that ended and their seconds together; 1 when one was refused (429),
-- and the seconds its server wants to be left alone; the limits that replies state (0: none); then
-- two for each verdict that has ended: id and requests. Returns as take.lua does.
local MEMORY, LATENCY_MEMORY, BASE_MEMORY = 0.95, 0.9, 0.99
local MIN_RATIO, MAX_RATIO = 0.05, 2
-- Slower than this many times its usual time, a model is overloaded; the allowance then falls, but
-- for that reason alone not below half.
local SLOW, SLOW_FLOOR, SLOW_SECONDS, SLOW_CALLS = 3, 0.5, 10, 50
-- Calls that were under way with one that was refused are refused with it.
local EVENT_SECONDS, STATED_SECONDS = 1, 5

local function argument(i) return tonumber(ARGV[i + 4]) end

local function state_limit(name, stated)
    if stated == 0 or stated == value('stated_' .. name, 0) then return end
    local before = limit(name)
    set('stated_' .. name, stated)
    if limit(name) < before then set('lowered_at', now) end
end
state_limit('requests', argument(9))
state_limit('tokens', argument(10))

charge(bucket('requests'), argument(1))
charge(bucket('tokens'), argument(2))

local function decrease(floor, factor)
    local lowered = math.max(floor, allowance() * factor)
    if lowered < allowance() then
        set('allowance', lowered)
        set('allowance_at', now)
        set('decreased_at', now)
    end
end

if argument(7) > 0 then
    local fresh = now >= value('held_until', 0) and now - value('decreased_at', 0) >= EVENT_SECONDS
    -- A limit that has just been lowered explains it.
    if fresh and now - value('lowered_at', 0) >= STATED_SECONDS then
        -- A minute that is full for so many seconds more holds so much more than is allowed: what
        -- was asked at an even rate takes as long to leave it.
        decrease(FLOOR, math.max(MAX_DECREASE, math.min(DECREASE, 1 - argument(8) / MINUTE)))
    end
    set('held_until', math.max(value('held_until', 0), now + argument(8)))
    -- The server's window is full until then, and empties only as fast as it was filled: nothing
    -- has been saved up for a burst.
    for _, b in pairs({bucket('requests'), bucket('tokens')}) do
        set(b.at, math.max(value(b.at, 0), value('held_until', 0) + b.burst / b.rate))
    end
end

local function blend(name, measured, count, memory)
    local kept = was[name] and memory ^ count or 0
    set(name, value(name, 0) * kept + measured * (1 - kept))
end

local calls = argument(5)
if standing() == 'new' and calls > 0 then
    set('replies', value('replies', 0) + calls)
    if value('replies', 0) >= PLAIN_REPLIES then set('open', 1) end
end
if argument(3) > 0 then
    blend('ratio', math.min(MAX_RATIO, math.max(MIN_RATIO, argument(4) / argument(3))),
        math.max(calls, 1), MEMORY)
end
if calls > 0 then
    local seconds = argument(6) / calls
    blend('latency', seconds, calls, LATENCY_MEMORY)
    blend('latency_base', seconds, calls, BASE_MEMORY)
    set('calls', math.min(value('calls', 0) + calls, SLOW_CALLS))
    if value('calls', 0) >= SLOW_CALLS and value('latency', 0) > SLOW * value('latency_base', 0)
        and now - value('decreased_at', 0) >= SLOW_SECONDS then
        decrease(SLOW_FLOOR, DECREASE)
    end
end

for i = 15, #ARGV, 2 do
    for call = 1, tonumber(ARGV[i + 1]) do redis.call('ZREM', flight, ARGV[i] .. '/' .. call) end
end
store()
return known(0, 0)
