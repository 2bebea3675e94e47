import { join } from 'node:path'
import { claudeFolder } from '../hook/install'
import type { Environment } from '../settings'

/** The agent history of this machine: `~/.claude/projects`, or below wherever `CLAUDE_CONFIG_DIR` moved it. */
export const claudeProjects = (env: Environment): string => join(claudeFolder(env), 'projects')
