-- Why a decision is as it is, is kept as a fact: the id of the reason with its params. The text of the day stays beside it. Rows from before
-- have none until they are read again.
alter table decisions add column because_rule text, add column because_params jsonb;
