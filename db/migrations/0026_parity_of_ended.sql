-- Executions that have ended and wait for their first comparison are taken before those whose turn came: the newest one without reading through the others.
create index parity_standing_ended on parity_standing (due_at) where due_for = 'terminal' and due_at is not null;
