/** The one command that sends the agent history of this machine. */
export const IMPORT_COMMAND = 'npx inquest import ~/.claude/projects'
