-- What the backend of run ?1 says about itself.
SELECT key, value FROM property WHERE run = ?1 ORDER BY key
