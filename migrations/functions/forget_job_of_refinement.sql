-- Deletes the job of a deleted refinement: a deleted answer leaves no trace.
CREATE OR REPLACE FUNCTION forget_job_of_refinement() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM jobs WHERE id = OLD.id;
    RETURN NULL;
END $$
