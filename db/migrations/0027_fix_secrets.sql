-- Lines of the patch that hold what looks like a secret, with their bytes: `[[first line, last line, first byte, behind the last byte], …]`.
-- Null: not known, because the patch was not read by rules that tell them. Then all of it is treated as one.
alter table fix_standing add column secrets jsonb;
--> statement-breakpoint
-- Bytes of the patch that were known to be secret when it came, and that no rule finds: `[[start, end], …]`. Null: it came before this was kept.
alter table fix_standing add column known_secrets jsonb;
