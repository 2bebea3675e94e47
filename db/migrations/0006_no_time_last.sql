-- An execution that no record dates stood by the time of its arrival, at the top of the list: it ends the list now.
update execution_classes c set sort_at = 'epoch' from executions e
where e.project_id = c.project_id and e.id = c.execution_id and e.started_at is null;
--> statement-breakpoint
update executions set sort_at = 'epoch' where started_at is null;
