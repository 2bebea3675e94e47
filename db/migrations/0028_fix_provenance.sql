-- The run that a fix is for, as it was called when the fix came: the pipeline, else the source, and the run's own id there. What is named after these keeps its name.
alter table fixes add column run_source text, add column run_id text;
--> statement-breakpoint
alter table fixes disable trigger fixes_append_only;
--> statement-breakpoint
update fixes f set run_source = coalesce(e.pipeline ->> 'pipeline', s.name), run_id = e.external_id
from executions e join sources s on s.project_id = e.project_id and s.id = e.source_id where e.project_id = f.project_id and e.id = f.execution_id;
--> statement-breakpoint
update fixes set run_source = '', run_id = execution_id::text where run_id is null;
--> statement-breakpoint
alter table fixes enable trigger fixes_append_only;
--> statement-breakpoint
alter table fixes alter column run_source set not null, alter column run_id set not null;
--> statement-breakpoint
-- The person who decides made the key by which the fix was proposed.
alter table fix_reviews add column owns_key boolean not null default false;
--> statement-breakpoint
-- What the newest look for a reported application found; what was seen once is not looked for again.
alter table fix_fits add column applied jsonb;
