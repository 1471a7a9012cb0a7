-- Who asked, as it is stored: a hash under keys of the workspace (NMAC: Bellare, Canetti and
-- Krawczyk 1996), or where the policy says so as the application wrote it, unless that holds an
-- e-mail address, also full-width or percent-encoded, or reads like a hash. With the rights of its
-- owner, since nobody else reads the keys.
CREATE OR REPLACE FUNCTION stored_user_ref(workspace uuid, given text) RETURNS text
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE
        WHEN p.user_refs = 'plain' AND given !~* '\S(@|＠|%40)\S' AND given NOT LIKE 'hmac:%' THEN given
        ELSE 'hmac:' || left(encode(sha256(substring(w.user_ref_key FROM 33)
            || sha256(substring(w.user_ref_key FOR 32) || convert_to(given, 'UTF8'))), 'hex'), 32)
        END
    FROM workspaces w LEFT JOIN evaluation_policies p ON p.workspace_id = w.id
    WHERE w.id = workspace
$$
