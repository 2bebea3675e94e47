/** The one command that sends the agent history of this machine. */
export const IMPORT_COMMAND = 'npx inquest import ~/.claude/projects'
/** The one command that keeps what a verdict is made of. */
export const RECORD_COMMAND = String.raw`npx inquest record --marker '%%DONE%%' --expect 'plan_path\s*=\s*/.+' --chain 'plan the shop' --attempt 1 \
  -- claude -p 'Plan the shop …' --output-format stream-json --verbose`
/** The one command that proposes a patch for a failed execution. */
export const PROPOSE_COMMAND = 'npx inquest fix propose change.patch --execution ID'
