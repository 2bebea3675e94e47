-- What an outcome and a cause rest on is kept as facts: the params of the outcome's rule, the rule of the cause with its params, and what failed
-- before it. The texts of the day stay beside them. Rows from before have none of it until they are read again.
alter table executions add column outcome_params jsonb, add column cause_rule text, add column cause_params jsonb, add column cause_earlier jsonb;
