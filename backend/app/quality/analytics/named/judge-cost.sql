/*
title_ko: 날짜별 평가 비용
title_en: "Judging cost by day and model"
description: >-
  What judging the answers of each day cost, by the judge that was asked, failed calls included. A
  verdict from the reply to an identical request costs nothing.
columns:
  - [day, date, day, "Day of the answer, in the time zone asked for."]
  - [judge_model, text, null, "Judge that was asked."]
  - [verdicts, integer, verdicts, "Verdicts that it gave."]
  - [calls, integer, calls, "Calls made for them and for those that came to nothing."]
  - [prompt_tokens, integer, tokens, "Tokens sent."]
  - [completion_tokens, integer, tokens, "Tokens received."]
  - [cost_usd, number, USD, "Sum over the calls; null where none has a known price."]
  - [cost_per_verdict_usd, number, USD, "cost_usd by verdicts."]
  - [unpriced_calls, integer, calls, "Calls of unknown price, which cost_usd leaves out."]
  - [cached_tokens, integer, tokens, "Of prompt_tokens, those that the vendor had in its cache."]
  - [cached_share, number, 0..1, "cached_tokens by prompt_tokens; null without any."]
  - [from_cache, integer, verdicts, "Of verdicts, those from the reply to an identical request."]
  - [batched_calls, integer, calls, "Of calls, those that were lines of a batch."]
  - [batched_cost_usd, number, USD, "What those have cost; null without any of a known price."]
*/
WITH verdicts AS (
    SELECT {bucket_day} AS day, f.judge_model,
        sum(f.undegraded) AS verdicts, sum(f.from_cache) AS from_cache
    FROM {verdicts} f
    WHERE NOT f.is_skipped
    GROUP BY 1, 2
), calls AS (
    SELECT {bucket_day} AS day, f.judge_model, sum(f.calls) AS calls,
        sum(f.prompt_tokens)::bigint AS prompt_tokens, sum(f.completion_tokens)::bigint AS completion_tokens,
        sum(f.cached_tokens)::bigint AS cached_tokens, sum(f.cost_usd) AS cost_usd,
        sum(f.unpriced) AS unpriced_calls, sum(f.batched) AS batched_calls,
        sum(f.batched_cost_usd) AS batched_cost_usd
    FROM {calls} f
    GROUP BY 1, 2
)
SELECT day, judge_model, COALESCE(v.verdicts, 0) AS verdicts,
    COALESCE(c.calls, 0) AS calls,
    COALESCE(c.prompt_tokens, 0) AS prompt_tokens,
    COALESCE(c.completion_tokens, 0) AS completion_tokens,
    round(c.cost_usd, 8)::float8 AS cost_usd,
    round(c.cost_usd / NULLIF(v.verdicts, 0), 8)::float8 AS cost_per_verdict_usd,
    COALESCE(c.unpriced_calls, 0) AS unpriced_calls,
    COALESCE(c.cached_tokens, 0) AS cached_tokens,
    round(c.cached_tokens::numeric / NULLIF(c.prompt_tokens, 0), 4)::float8 AS cached_share,
    COALESCE(v.from_cache, 0) AS from_cache,
    COALESCE(c.batched_calls, 0) AS batched_calls,
    round(c.batched_cost_usd, 8)::float8 AS batched_cost_usd
-- A cancelled verdict is none, but its calls were paid for.
FROM verdicts v
FULL JOIN calls c USING (day, judge_model)
ORDER BY {by_time}, 2
