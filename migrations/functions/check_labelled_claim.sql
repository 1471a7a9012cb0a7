-- A label on a claim is for one that is there: what a foreign key would see to, but for one of those
-- no partition of claims could be dropped. Claims go with their verdict only, and so do labels.
CREATE OR REPLACE FUNCTION check_labelled_claim() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM qa_claims c WHERE c.evaluation_id = NEW.evaluation_id
                   AND c.position = NEW.claim_position) THEN
        RAISE foreign_key_violation USING
            MESSAGE = 'violates foreign key constraint "' || TG_ARGV[0] || '"',
            CONSTRAINT = TG_ARGV[0], TABLE = TG_TABLE_NAME;
    END IF;
    RETURN NEW;
END $$
