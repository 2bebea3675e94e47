import { settingText } from '@/lib/words/settings'
import { readFailureTag } from '@/lib/formats/claude/failure-tag'
import { CliFailure } from '../exit-codes'
import type { Output } from '../output'
import type { Environment } from '../settings'
import { failureSignalSkill } from '@/lib/words/failure-signal-skill'

const SKILLS: Record<string, (tag: string) => string> = { 'failure-signal': failureSignalSkill }

/** `inquest skill NAME`: a text to put where an agent reads it. */
export async function printSkill(name: string, env: Environment, output: Output): Promise<void> {
  if (!Object.hasOwn(SKILLS, name))
    throw new CliFailure('usage', `Unknown skill ${name}. Available: ${Object.keys(SKILLS).join(', ')}.`)
  const read = readFailureTag(env)
  if ('trouble' in read) throw new CliFailure('usage', settingText.failureTag(read.trouble))
  const text = SKILLS[name]!(read.tag)
  output.line(text.trimEnd())
  output.record({ skill: name, text })
}
