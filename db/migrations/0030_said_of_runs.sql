-- What a server says of an execution beside its document: its list and its status endpoint can name other ends.
alter table connection_runs
  -- The entry of the list as it came, and when its status was first seen there.
  add column listed_entry text,
  add column listed_at timestamptz(3),
  -- The status of the entry that was taken in last.
  add column listed_taken text,
  -- What the document said when the status endpoint was asked last.
  add column status_asked text;
