"""SQL that tries whether PostgreSQL can write."""

# A new file of 16 pages or more and rows in the catalogs, which also go to the log; all of it is
# gone with the statement. Rows this short are not compressed.
PROBE = b"""
CREATE TEMP TABLE searchqa_write_probe ON COMMIT DROP AS
SELECT repeat('x', 1000) AS filling FROM generate_series(1, 128)
"""
