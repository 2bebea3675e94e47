import { memoize } from '../../text/memoize'
import type { WorkedCall } from './merge-calls'
import { LOOKS_AROUND } from './retry-chain'

const COMMAND_CHARS_READ = 4_000
/** Settings and runners in front of the program. */
const IN_FRONT = /^(?:[A-Za-z_]\w*=\S*\s+|(?:sudo|env|time|nohup|exec|command|timeout\s+\S+)\s+)+/
/** Steps that prepare or print; they do none of the work. */
const PREPARES = /^(?:cd|pushd|popd|export|set|source|\.(?=\s)|echo|printf|true|false|sleep|mkdir)\b/
const ONLY_LOOKS = new RegExp(
  `${LOOKS_AROUND.source}|^(?:sed -n|awk|jq|sort|uniq|diff|ps|env|printenv|date|uname|whoami|id|column|cut|less|more|xxd|od|strings)\\b|^(?:git|jj|hg) (?:status|log|diff|show|ls-tree|ls-files|branch|blame|rev-parse|stash list)\\b|^(?:gh|glab) \\w+ (?:view|list|status|diff|checks)\\b`,
)
/** Words behind which the next word still belongs to the name of the step: `npm run test`, `gh pr create`. */
const GROUPS = /^(?:run|exec|pr|mr|issue|release|compose|tool|stash|remote|image|x|dlx)$/

/** One step of a shell command. */
export interface CommandStep {
  /** Program and verb, without its folder and its options: `git push`, `mise run lint`. */
  name: string
  text: string
  /** It only looks: nothing is built, checked or changed by it. */
  looks: boolean
}

/** The steps of a call that is a command; none of another call. */
export const stepsOfCall = memoize(({ target, looseTarget }: Pick<WorkedCall, 'target' | 'looseTarget'>) =>
  looseTarget === null || target === null ? [] : stepsOf(target),
)

/** The steps of a shell command that do something, in their order; a script in quotes or a here-document is one step. */
function stepsOf(command: string): CommandStep[] {
  return command
    .slice(0, COMMAND_CHARS_READ)
    .split('<<')[0]!
    .replace(/\\\n/g, ' ')
    .replace(/'[^']*(?:'|$)|"(?:\\.|[^"\\])*(?:"|$)/g, (quoted) => quoted.replace(/[&|;\n]/g, ' '))
    .split(/&&|\|\||;|\n/)
    .map((step) =>
      step
        .split('|')[0]!
        .replace(/\d?>(?:&\d|\s*\S+)/g, '')
        .trim()
        .replace(IN_FRONT, '')
        .replace(/\s+/g, ' '),
    )
    .filter((step) => step !== '' && !PREPARES.test(step))
    .map((text) => ({ name: nameOf(text), text, looks: ONLY_LOOKS.test(text) }))
}

function nameOf(step: string): string {
  const [program = '', ...rest] = step.split(' ')
  const name = [program.slice(program.lastIndexOf('/') + 1)]
  for (const word of rest) {
    if (word.startsWith('-')) continue
    if (!/^[\w:.@-]+$/.test(word) || /^\d+$/.test(word)) break
    name.push(word)
    if (!GROUPS.test(word)) break
  }
  return name.join(' ')
}
