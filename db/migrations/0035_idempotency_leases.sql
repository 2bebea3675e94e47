-- A key of a request at work now expires unless it is renewed; those of an older version that are still open belong to a process that has ended.
update idempotency_keys set expires_at = now() where status is null;
