/** What follows the program in the commands on pages (`ProgramCommand`): the one that sends the agent history of this machine. */
export const IMPORT_COMMAND = 'import ~/.claude/projects'
/** The one that keeps what a verdict is made of. */
export const RECORD_COMMAND = String.raw`record --marker '%%DONE%%' --expect 'plan_path\s*=\s*/.+' --chain 'plan the shop' --attempt 1 \
  -- claude -p 'Plan the shop …' --output-format stream-json --verbose`
/** The one that proposes a patch for a failed execution. */
export const PROPOSE_COMMAND = 'fix propose change.patch --execution ID'
