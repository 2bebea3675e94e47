-- The way in by which a record came is its channel, as on screen and in answers. Only names change: no row is written.
-- Both tables are locked for that moment; whoever holds one of them for longer stops the migration, which is then tried again at the next start.
set local lock_timeout = '30s';
alter table streams rename column door to channel;
alter table events rename column door to channel;
set local lock_timeout to default;
