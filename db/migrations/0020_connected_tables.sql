-- How far the tables of a connected source were read, where it has an address of its database.
alter table source_connections add column tables_cursor jsonb, add column tables_read_at timestamptz(3), add column tables_problem text;
