-- What calls of judges took together, as much as the columns hold: a vendor's odd counts must not keep
-- a row from its end. NULL stays NULL, which LEAST would make the limit.
CASE WHEN sum(prompt_tokens) > {max_tokens} THEN {max_tokens}
     ELSE sum(prompt_tokens) END AS prompt_tokens,
CASE WHEN sum(completion_tokens) > {max_tokens} THEN {max_tokens}
     ELSE sum(completion_tokens) END AS completion_tokens,
CASE WHEN sum(cost_usd) > {max_cost_usd} THEN {max_cost_usd}
     ELSE sum(cost_usd) END AS cost_usd
