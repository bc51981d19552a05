#!lua flags=allow-oom
-- The steps of a conversion in a shared store. Each call of this script is one step, and Redis runs one step at a time.
-- Reads no clock but that of Redis. mod.rs describes the keys.
--
-- allow-oom: without this flag, a full Redis would refuse the very steps that free memory. Bytes are stored by a plain
-- HSET, which a full Redis refuses, so this script adds only records.

local PREFIX = '{convertd}:'
local op, id = ARGV[1], ARGV[2]

-- Commands that the Redis user must be allowed to run, with a key if the command has one. The first forbidden one is
-- reported before any change, because a step that fails in the middle would leave half of its changes.
if op == 'try' then
    local key = PREFIX .. 'try'
    local rights = {
        { 'TIME' }, { 'EXISTS', key }, { 'EXPIRE', key, '1' }, { 'EXPIREAT', key, '1' }, { 'PTTL', key }, { 'UNLINK', key },
        { 'HGET', key, 'f' }, { 'HSET', key, 'f', '1' }, { 'HMGET', key, 'f' }, { 'HDEL', key, 'f' }, { 'HLEN', key }, { 'HINCRBY', key, 'f', '1' },
        { 'RPUSH', key, '1' }, { 'LPUSH', key, '1' }, { 'LPOP', key }, { 'LTRIM', key, '0', '0' }, { 'LLEN', key }, { 'BLPOP', key, '1' },
        { 'ZADD', key, '1', 'm' }, { 'ZRANGE', key, '0', '0' }, { 'ZREM', key, 'm' }, { 'ZSCORE', key, 'm' }, { 'ZCOUNT', key, '0', '0' },
        { 'ZCARD', key }, { 'ZREMRANGEBYSCORE', key, '0', '0' }, { 'ZREMRANGEBYRANK', key, '0', '0' },
        { 'INFO' }, { 'ROLE' }, { 'SCRIPT', 'LOAD', 's' },
    }
    for _, right in ipairs(rights) do
        if not redis.acl_check_cmd(unpack(right)) then return { 'forbidden', right[1] } end
    end
    return { 'ok' }
end

local time = redis.call('TIME')
local now = tonumber(time[1]) -- seconds
local now_ms = now * 1000 + math.floor(tonumber(time[2]) / 1000)
local record, upload = PREFIX .. 'r:' .. id, PREFIX .. 'u:' .. id
local wait, run, bell, live = PREFIX .. 'wait', PREFIX .. 'run', PREFIX .. 'bell', PREFIX .. 'live'
local terms, ended, places, bytes = PREFIX .. 'terms', PREFIX .. 'ended', PREFIX .. 'places', PREFIX .. 'bytes'
local DAY = 86400
local MAX_PIECES = 64 -- of delivered ranges
local RECEIPT = 30 -- seconds for which a delivered result can still be brought back

local function text(number) return string.format('%.0f', number) end
local function get(...) return redis.call('HMGET', record, ...) end
local function result(token) return PREFIX .. 'b:' .. id .. ':' .. token end

-- Extends the life of a key to at least this time, in seconds; never shortens it.
local function keep_until(key, when)
    local ends = redis.call('PTTL', key)
    if ends >= 0 and now_ms + ends < when * 1000 then redis.call('EXPIREAT', key, text(when)) end
end

-- Running downloads of a result: token, first byte, last byte, end of the lease in ms, and whether all bytes were sent.
local function read_holds(stored)
    local holds = {}
    for token, first, last, ends, sent in string.gmatch(stored or '', '(%x+) (%d+) (%d+) (%d+) (%d);') do
        holds[#holds + 1] = { token = token, first = tonumber(first), last = tonumber(last), ends = tonumber(ends), sent = sent }
    end
    return holds
end

local function write_holds(holds)
    local stored = {}
    for _, hold in ipairs(holds) do
        stored[#stored + 1] = table.concat({ hold.token, text(hold.first), text(hold.last), text(hold.ends), hold.sent }, ' ') .. ';'
    end
    if #stored == 0 then redis.call('HDEL', record, 'holds') else redis.call('HSET', record, 'holds', table.concat(stored)) end
end

local function hold_of(holds, token)
    for at, hold in ipairs(holds) do
        if hold.token == token then return hold, at end
    end
end

-- Returns whether a download of these bytes must wait for another one. Only one download of the whole result runs at a
-- time; a download of a part waits for overlapping parts.
local function is_held(holds, first, last, size)
    local function whole(a, b) return a == 0 and b == size end
    for _, hold in ipairs(holds) do
        if hold.ends > now_ms then
            if whole(first, last) or whole(hold.first, hold.last) then
                if whole(first, last) then return true end
            elseif hold.first < last and first < hold.last then
                return true
            end
        end
    end
    return false
end

-- Adds a range to the delivered ranges. Returns them, and whether they cover the whole result.
local function add_range(stored, first, last, size)
    local merged, rest = { first, last }, {}
    for a, b in string.gmatch(stored or '', '(%d+)-(%d+)') do
        a, b = tonumber(a), tonumber(b)
        if a <= merged[2] and merged[1] <= b then
            merged = { math.min(a, merged[1]), math.max(b, merged[2]) }
        else
            rest[#rest + 1] = { a, b }
        end
    end
    if merged[1] == 0 and merged[2] >= size then return '', true end
    if #rest >= MAX_PIECES then return stored, false end
    if merged[1] < merged[2] then rest[#rest + 1] = merged end
    local pieces = {}
    for _, range in ipairs(rest) do pieces[#pieces + 1] = text(range[1]) .. '-' .. text(range[2]) end
    return table.concat(pieces, ','), false
end

-- Changes the counts of an address and of all addresses together. An address with nothing is removed, and the empty
-- address ('-') is not counted.
local function count(owner, more, weight)
    for _, who in ipairs({ 'all', owner }) do
        if who == '-' then
            -- Counted only in the total.
        elseif redis.call('HINCRBY', places, who, more) <= 0 then
            redis.call('HDEL', places, who)
            redis.call('HDEL', bytes, who)
        else
            redis.call('HINCRBY', bytes, who, weight)
        end
    end
end

-- Counts a conversion for its owner until it is removed or expires. The name of the entry contains all data for the
-- removal, because the record may be deleted first.
local function enlist(owner, weight, ends)
    redis.call('HSET', record, 'own', owner, 'weight', weight)
    redis.call('ZADD', terms, text(ends), id .. ' ' .. owner .. ' ' .. weight)
    count(owner, 1, weight)
end

local function strike_off()
    local f = get('own', 'weight')
    if f[1] and redis.call('ZREM', terms, id .. ' ' .. f[1] .. ' ' .. f[2]) == 1 then count(f[1], -1, '-' .. f[2]) end
end

-- Returns why an owner may not store so many more bytes, or nil. An owner may have a quarter of all places, and half of
-- the room for bytes. An owner without any conversion may always have one.
local function refusal(owner, weight, most, room)
    local function has(hash, who) return tonumber(redis.call('HGET', hash, who) or 0) end
    most, room = tonumber(most), tonumber(room)
    if has(places, 'all') >= most then return { 'many' } end
    if owner == '-' then return nil end
    local theirs, heavy = has(places, owner), has(bytes, owner)
    if theirs >= math.ceil(most / 4) or (room and heavy > 0 and heavy + tonumber(weight) > room / 2) then
        return { 'share', text(theirs), text(heavy) }
    end
end

-- Removes a limited number of expired conversions. Of each, only its end and whether it was downloaded are kept. Skips
-- conversions that are queued, running or being downloaded.
local function bury(most)
    for _, entry in ipairs(redis.call('ZRANGE', terms, '-inf', text(now), 'BYSCORE', 'LIMIT', 0, most)) do
        local name, owner, weight = string.match(entry, '^(%S+) (%S+) (%S+)$')
        local key = PREFIX .. 'r:' .. name
        local f = redis.call('HMGET', key, 'state', 'to', 'blob', 'holds')
        local later = (f[1] == 'q' or f[1] == 'w') and now + DAY
        for _, hold in ipairs(read_holds(f[4])) do
            if hold.ends > now_ms then later = math.ceil(hold.ends / 1000) + 1 end
        end
        if later then
            redis.call('ZADD', terms, text(later), entry)
        else
            redis.call('ZREM', terms, entry)
            count(owner, -1, '-' .. weight)
            if f[3] then redis.call('UNLINK', PREFIX .. 'b:' .. name .. ':' .. f[3]) end
            if f[2] then redis.call('ZADD', ended, text(2 * tonumber(f[2])), name) end
            redis.call('UNLINK', key)
        end
    end
end

-- Sets the lifetime of a link or a failure that begins now, and with it that of the record and of the client's key.
local function begin_term(ttl_ms, keep, owner, weight)
    local ends = math.ceil((now_ms + tonumber(ttl_ms)) / 1000)
    strike_off()
    redis.call('HSET', record, 'from', text(now), 'to', text(ends))
    redis.call('EXPIREAT', record, text(ends + tonumber(keep)))
    enlist(owner, weight, ends)
    local key = redis.call('HGET', record, 'key')
    if key then redis.call('EXPIREAT', PREFIX .. 'k:' .. key, text(ends)) end
    bury(2)
    return text(now), text(ends)
end

local function ready(token, parts, size, crc, json, ttl_ms, keep, owner)
    redis.call('HSET', record, 'state', 'r', 'json', json, 'blob', token, 'parts', parts, 'size', size, 'crc', crc)
    local from, to = begin_term(ttl_ms, keep, owner, text(tonumber(size) + #json))
    redis.call('EXPIREAT', result(token), text(tonumber(to) + 5))
    return { 'ok', from, to }
end

-- Handles a result that the same attempt has issued before: this repetition has stored its pieces once more, for a
-- short time.
local function issued(state, token, from, to)
    if state == 'r' then
        redis.call('EXPIREAT', result(token), text(tonumber(to) + 5))
    else
        redis.call('EXPIRE', result(token), RECEIPT)
    end
    return { 'ok', from, to }
end

local function failed(json, ttl_ms, keep)
    redis.call('HSET', record, 'state', 'f', 'json', json)
    redis.call('HDEL', record, 'tok', 'prog', 'n')
    redis.call('ZREM', run, id)
    redis.call('UNLINK', upload)
    begin_term(ttl_ms, keep, redis.call('HGET', record, 'own') or '-', text(#json))
end

-- Returns the known facts about a conversion.
local function look()
    local f = get('state', 'json', 'from', 'to', 'down', 'holds', 'prog')
    local state, to = f[1], f[4]
    if not state then
        local over = tonumber(redis.call('ZSCORE', ended, id))
        return over and { 'over', text(over % 2), text(math.floor(over / 2)) } or { 'none' }
    end
    if state == 'd' or (to and now >= tonumber(to)) then return { 'over', f[5] or '0', to } end
    local settling = '0'
    for _, hold in ipairs(read_holds(f[6])) do
        if hold.sent == '1' and hold.ends > now_ms then settling = '1' end
    end
    return { state, f[2], f[3] or '', to or '', settling, f[7] or '' }
end

local steps = {}

steps.look = look

-- Returns which of these conversions are in progress, as one digit each.
function steps.running()
    local digits = {}
    for at = 2, #ARGV do
        local state = redis.call('HGET', PREFIX .. 'r:' .. ARGV[at], 'state')
        digits[#digits + 1] = (state == 'q' or state == 'w') and '1' or '0'
    end
    return table.concat(digits)
end

-- Stores the result of a conversion for which only its client waited.
function steps.commit()
    local token, parts = ARGV[3], ARGV[4]
    local f = get('state', 'blob', 'from', 'to')
    if f[1] then return f[2] == token and issued(f[1], token, f[3], f[4]) or { 'lost' } end
    if redis.call('ZSCORE', ended, id) then return { 'lost' } end
    if redis.call('HLEN', result(token)) ~= tonumber(parts) then return { 'torn' } end
    local size, json, owner = ARGV[5], ARGV[7], ARGV[10]
    local refused = refusal(owner, text(tonumber(size) + #json), ARGV[11], ARGV[12])
    if refused then
        redis.call('UNLINK', result(token))
        return refused
    end
    return ready(token, parts, size, ARGV[6], json, ARGV[8], ARGV[9], owner)
end

-- Returns whether an owner may store so many more bytes.
function steps.share()
    bury(64)
    return refusal(id, ARGV[3], ARGV[4], ARGV[5]) or { 'ok' }
end

-- Stores a promise to convert; an idle instance will take it.
function steps.accept()
    local parts, json, room, owner, weight = tonumber(ARGV[3]), ARGV[4], tonumber(ARGV[5]), ARGV[6], text(tonumber(ARGV[7]) + #ARGV[4])
    local state = get('state')[1]
    if state then
        -- A repetition has stored the upload once more, for a short time.
        if state == 'q' or state == 'w' then redis.call('EXPIRE', upload, DAY) else redis.call('UNLINK', upload) end
        return { 'ok' }
    end
    if redis.call('HLEN', upload) ~= parts then return { 'torn' } end
    local instances = math.max(1, redis.call('ZCOUNT', live, text(now_ms - 5000), '+inf'))
    if redis.call('LLEN', wait) >= room * instances then
        redis.call('UNLINK', upload)
        return { 'full' }
    end
    local refused = refusal(owner, weight, ARGV[8], ARGV[9])
    if refused then
        redis.call('UNLINK', upload)
        return refused
    end
    redis.call('HSET', record, 'state', 'q', 'json', json, 'n', '0', 'parts', text(parts))
    redis.call('EXPIRE', record, DAY)
    redis.call('EXPIRE', upload, DAY)
    enlist(owner, weight, now + DAY)
    bury(2)
    redis.call('RPUSH', wait, id)
    redis.call('RPUSH', bell, '1')
    redis.call('LTRIM', bell, -256, -1)
    return { 'ok' }
end

-- Takes a conversion: first one whose instance no longer responds, then the oldest one in the queue.
function steps.take()
    local token, lease, attempts, json_tried, json_gone, ttl_ms, keep = unpack(ARGV, 3, 9)
    for _ = 1, 64 do
        id = redis.call('ZRANGE', run, '-inf', text(now_ms), 'BYSCORE', 'LIMIT', 0, 1)[1] or redis.call('LPOP', wait)
        if not id then return { 'none' } end
        record, upload = PREFIX .. 'r:' .. id, PREFIX .. 'u:' .. id
        local f = get('state', 'json', 'n', 'parts', 'own')
        if f[1] ~= 'q' and f[1] ~= 'w' then
            redis.call('ZREM', run, id)
        elseif redis.call('HLEN', upload) ~= tonumber(f[4]) then
            failed(json_gone, ttl_ms, keep)
        elseif tonumber(f[3]) >= tonumber(attempts) then
            failed(json_tried, ttl_ms, keep)
        else
            redis.call('HSET', record, 'state', 'w', 'tok', token, 'n', text(tonumber(f[3]) + 1))
            redis.call('HDEL', record, 'prog')
            redis.call('ZADD', run, text(now_ms + tonumber(lease)), id)
            redis.call('EXPIRE', record, DAY)
            redis.call('EXPIRE', upload, DAY)
            return { 'job', id, f[2], f[4], f[5] or '-' }
        end
    end
    return { 'none' }
end

-- Ends a conversion. Only the holder of its latest token may do so.
local function is_mine(token)
    local f = get('state', 'tok')
    return f[1] == 'w' and f[2] == token
end

-- Returns a conversion to the queue whose attempt was not completed.
function steps.back()
    if not is_mine(ARGV[3]) then return { 'lost' } end
    redis.call('HSET', record, 'state', 'q')
    redis.call('HINCRBY', record, 'n', -1)
    redis.call('HDEL', record, 'tok', 'prog')
    redis.call('ZREM', run, id)
    redis.call('LPUSH', wait, id)
    redis.call('RPUSH', bell, '1')
    redis.call('LTRIM', bell, -256, -1)
    return { 'ok' }
end

-- Stores the result of a conversion that an instance had taken.
function steps.finish()
    local token, parts = ARGV[3], ARGV[4]
    local f = get('state', 'blob', 'from', 'to')
    if f[2] == token then return issued(f[1], token, f[3], f[4]) end
    if not is_mine(token) then
        redis.call('UNLINK', result(token))
        return { 'lost' }
    end
    if redis.call('HLEN', result(token)) ~= tonumber(parts) then return { 'torn' } end
    redis.call('HDEL', record, 'tok', 'prog', 'n')
    redis.call('ZREM', run, id)
    redis.call('UNLINK', upload)
    return ready(token, parts, ARGV[5], ARGV[6], ARGV[7], ARGV[8], ARGV[9], redis.call('HGET', record, 'own') or '-')
end

function steps.fail()
    if not is_mine(ARGV[3]) then return { 'lost' } end
    failed(ARGV[4], ARGV[5], ARGV[6])
    return { 'ok' }
end

-- Grants the right to deliver a range of a result, or all of it if no end is given. A range within one piece is sent at
-- once, so it counts as sent.
function steps.claim()
    local token, first, last, lease, piece = ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
    local known = look()
    if known[1] ~= 'r' then return known end
    local f = get('holds', 'blob', 'parts', 'size', 'crc')
    if redis.call('HLEN', result(f[2])) ~= tonumber(f[3]) then return { 'over', '0', known[4] } end
    local size = tonumber(f[4])
    last = last or size
    local holds = {}
    for _, hold in ipairs(read_holds(f[1])) do
        if hold.ends > now_ms and hold.token ~= token then holds[#holds + 1] = hold end
    end
    if is_held(holds, first, last, size) then return { 'held' } end
    local at_once = first < last and math.floor((last - 1) / piece) == math.floor(first / piece)
    holds[#holds + 1] = { token = token, first = first, last = last, ends = now_ms + lease, sent = at_once and '1' or '0' }
    write_holds(holds)
    keep_until(result(f[2]), now + 2 * math.ceil(lease / 1000))
    return { 'ok', known[2], known[3], known[4], f[2], f[5] }
end

function steps.sent()
    local holds = read_holds(redis.call('HGET', record, 'holds'))
    local hold = hold_of(holds, ARGV[3])
    if not hold then return { 'lost' } end
    hold.sent = ARGV[4]
    write_holds(holds)
    return { 'ok' }
end

function steps.release()
    local holds = read_holds(redis.call('HGET', record, 'holds'))
    local _, at = hold_of(holds, ARGV[3])
    if at then
        table.remove(holds, at)
        write_holds(holds)
    end
    return { 'ok' }
end

-- Records that the client's kernel has these bytes. This counts even if the claim has expired, unless another instance
-- holds them.
function steps.delivered()
    local token, first, last = ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5])
    local f = get('state', 'dtok', 'holds', 'ranges', 'size', 'blob', 'to')
    if f[1] == 'd' and f[2] == token then return { 'whole' } end
    if f[1] ~= 'r' then return { 'lost' } end
    local holds, size = read_holds(f[3]), tonumber(f[5])
    local _, at = hold_of(holds, token)
    if at then
        table.remove(holds, at)
    elseif is_held(holds, first, last, size) then
        return { 'lost' }
    end
    local ranges, whole = add_range(f[4], first, last, size)
    write_holds(holds)
    if not whole then
        redis.call('HSET', record, 'ranges', ranges)
        return { 'part' }
    end
    redis.call('HSET', record, 'state', 'd', 'down', '1', 'dtok', token)
    redis.call('HDEL', record, 'holds', 'ranges')
    strike_off()
    redis.call('ZADD', ended, text(2 * tonumber(f[7]) + 1), id)
    redis.call('EXPIRE', result(f[6]), RECEIPT)
    redis.call('EXPIRE', record, RECEIPT)
    return { 'whole' }
end

-- Records that clients have read delivered results (id, token): deletes the bytes and the record, which is among the
-- ended ones by now.
function steps.confirm()
    for at = 2, #ARGV, 2 do
        id = ARGV[at]
        record = PREFIX .. 'r:' .. id
        local f = get('state', 'dtok', 'blob')
        if f[1] == 'd' and f[2] == ARGV[at + 1] and f[3] then
            redis.call('UNLINK', result(f[3]))
            redis.call('UNLINK', record)
        end
    end
    return { 'ok' }
end

-- Makes a link work again, because the client was gone before it could read the bytes in its kernel.
function steps.revive()
    local f = get('state', 'dtok', 'blob', 'parts', 'to', 'own', 'weight')
    if f[1] ~= 'd' or f[2] ~= ARGV[3] or not f[3] then return { 'lost' } end
    if redis.call('HLEN', result(f[3])) ~= tonumber(f[4]) then return { 'lost' } end
    local ends = math.max(now + RECEIPT, tonumber(f[5]) + 5)
    redis.call('HSET', record, 'state', 'r')
    redis.call('HDEL', record, 'down', 'dtok')
    redis.call('EXPIREAT', record, text(math.max(now, tonumber(f[5])) + tonumber(ARGV[4])))
    redis.call('EXPIREAT', result(f[3]), text(ends))
    redis.call('ZREM', ended, id)
    if f[6] then enlist(f[6], f[7], tonumber(f[5])) end
    return { 'ok' }
end

-- Renews the life of an instance, with its conversions (id, token, progress) and downloads (id, token). Returns one
-- digit for each: whether the instance still holds it.
function steps.beat()
    local instance, lease, keep, remembered, jobs = ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
    local digits, at = {}, 7
    bury(500)
    redis.call('ZREMRANGEBYSCORE', ended, '-inf', text(2 * (now - keep) + 1))
    redis.call('ZREMRANGEBYRANK', ended, 0, -remembered - 1)
    redis.call('ZADD', live, text(now_ms), instance)
    redis.call('ZREMRANGEBYSCORE', live, '-inf', text(now_ms - 60000))
    for _ = 1, jobs do
        id = ARGV[at]
        record, upload = PREFIX .. 'r:' .. id, PREFIX .. 'u:' .. id
        local mine = is_mine(ARGV[at + 1])
        if mine then
            redis.call('ZADD', run, text(now_ms + lease), id)
            redis.call('EXPIRE', record, DAY)
            redis.call('EXPIRE', upload, DAY)
            if ARGV[at + 2] ~= '' then redis.call('HSET', record, 'prog', ARGV[at + 2]) end
        end
        digits[#digits + 1] = mine and '1' or '0'
        at = at + 3
    end
    while at < #ARGV do
        id = ARGV[at]
        record = PREFIX .. 'r:' .. id
        local f = get('holds', 'blob')
        local holds = read_holds(f[1])
        local hold = hold_of(holds, ARGV[at + 1])
        if hold then
            hold.ends = now_ms + lease
            write_holds(holds)
            keep_until(result(f[2]), now + 2 * math.ceil(lease / 1000))
        end
        digits[#digits + 1] = hold and '1' or '0'
        at = at + 2
    end
    return { table.concat(digits), redis.call('LLEN', wait), redis.call('ZCARD', run), redis.call('ZCARD', terms) }
end

-- Returns the secret for digests of keys: the first proposed one stays.
function steps.secret()
    local name = PREFIX .. 'secret'
    if redis.call('EXISTS', name) == 0 then redis.call('HSET', name, 'text', id) end
    return redis.call('HGET', name, 'text')
end

-- Takes a client's key for the first request with it. Returns the result of that request to later ones.
function steps.enter()
    local name, token, form, lease = PREFIX .. 'k:' .. id, ARGV[3], ARGV[4], tonumber(ARGV[5])
    local f = redis.call('HMGET', name, 'form', 'tok', 'id')
    local held = f[1] and f[2] ~= token
    if held and f[3] then
        record = PREFIX .. 'r:' .. f[3]
        local known = look()[1]
        held = known ~= 'none' and known ~= 'over'
    end
    if held then
        if f[1] ~= form then return { 'other' } end
        return f[3] and { 'done', f[3] } or { 'busy' }
    end
    redis.call('UNLINK', name)
    redis.call('HSET', name, 'form', form, 'tok', token)
    redis.call('EXPIRE', name, math.ceil(lease / 1000))
    return { 'first' }
end

-- Renews the keys of requests in progress: key, token.
function steps.hold()
    local lease = math.ceil(tonumber(ARGV[2]) / 1000)
    for at = 3, #ARGV, 2 do
        local name = PREFIX .. 'k:' .. ARGV[at]
        local f = redis.call('HMGET', name, 'tok', 'id')
        if f[1] == ARGV[at + 1] and not f[2] then redis.call('EXPIRE', name, lease) end
    end
    return { 'ok' }
end

-- Records the conversion of a request with this key, whose link works for a limited time once the result is ready.
function steps.settle()
    local name = PREFIX .. 'k:' .. id
    if redis.call('HGET', name, 'tok') ~= ARGV[3] then return { 'lost' } end
    redis.call('HSET', name, 'id', ARGV[4])
    record = PREFIX .. 'r:' .. ARGV[4]
    local f = get('state', 'to')
    if f[2] then
        redis.call('EXPIREAT', name, f[2])
    else
        -- It is in progress, so its end is not known yet.
        redis.call('EXPIRE', name, DAY + math.ceil(tonumber(ARGV[5]) / 1000))
        if f[1] then redis.call('HSET', record, 'key', id) end
    end
    return { 'ok' }
end

-- Releases the key of a request without a result.
function steps.free()
    local name = PREFIX .. 'k:' .. id
    local f = redis.call('HMGET', name, 'tok', 'id')
    if f[1] == ARGV[3] and not f[2] then redis.call('UNLINK', name) end
    return { 'ok' }
end

-- Removes an instance that shut down in good order.
function steps.leave()
    redis.call('ZREM', live, id)
    return { 'ok' }
end

return steps[op]()
