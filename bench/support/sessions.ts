import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Transcript } from '@/db/seed/transcript'
import type { Random } from './random'

const WORDS =
  `the of and to in a is that for it as was with be by on not this are or from at which but have an had they you were their one all we can her has
there been if more when will would who so no out up into than them only time may then first any such like other some these two also new over return const
function import export await async value index result error module request response handler session config parse string number object array length test
expect describe null undefined throw catch stream buffer offset render state effect query table insert update delete select where order limit`.split(
    /\s+/,
  )

const TOOLS = ['Bash', 'Bash', 'Bash', 'Read', 'Read', 'Edit', 'Grep', 'Glob', 'Write', 'TodoWrite'] as const

/** Prose and code of about this many characters, with the quotes, braces and line ends that make JSON longer. */
export function proseOf(random: Random, chars: number): string {
  const parts: string[] = []
  for (let length = 0; length < chars; ) {
    const kind = random.int(20)
    const word = random.pick(WORDS)
    const piece =
      kind === 0
        ? '\n'
        : kind === 1
          ? `${word}({ ${random.pick(WORDS)}: "${random.pick(WORDS)}" })\n`
          : kind === 2
            ? `src/${word}/${random.pick(WORDS)}.ts:${random.int(400)} `
            : `${word} `
    parts.push(piece)
    length += piece.length
  }
  return parts.join('')
}

/** Half of the results are short, a few are whole files: as in the transcripts of the samples (median record 1.0 kB, mean 2.5 kB, p99 29 kB). */
const resultChars = (random: Random): number => random.size(460, 1.7, 130_000)

function inputOf(tool: (typeof TOOLS)[number], random: Random): Record<string, unknown> {
  const file = `/srv/work/src/${random.pick(WORDS)}/${random.pick(WORDS)}.ts`
  switch (tool) {
    case 'Bash':
      return {
        command: `npm run ${random.pick(WORDS)} -- ${random.pick(WORDS)}`,
        description: proseOf(random, 40).trim(),
      }
    case 'Edit':
      return {
        file_path: file,
        old_string: proseOf(random, random.size(160, 1, 8_000)),
        new_string: proseOf(random, random.size(220, 1, 12_000)),
      }
    case 'Write':
      return { file_path: file, content: proseOf(random, random.size(1_500, 1, 40_000)) }
    case 'Grep':
      return { pattern: random.pick(WORDS), path: file }
    case 'Glob':
      return { pattern: `**/${random.pick(WORDS)}*.ts` }
    case 'TodoWrite':
      return {
        todos: [
          { content: proseOf(random, 60).trim(), status: 'pending', activeForm: proseOf(random, 40).trim() },
        ],
      }
    default:
      return { file_path: file }
  }
}

const FAILURES = [
  (random: Random) =>
    `Exit code 1\n${proseOf(random, random.size(700, 1, 20_000))}\nError: ${random.pick(WORDS)} is not assignable to ${random.pick(WORDS)}\n`,
  () => '<tool_use_error>File has not been read yet. Read it first before writing to it.</tool_use_error>',
  (random: Random) =>
    `<tool_use_error>String to replace not found in file.\nString: ${proseOf(random, 120)}</tool_use_error>`,
  () => '<tool_use_error>File does not exist.</tool_use_error>',
]

export interface SessionPlan {
  records: number
  /** The last call fails and nothing follows: the run is a failed one. */
  endsFailed: boolean
}

/**
 * One session, invented from the generator's numbers. One record in a hundred holds a mail address or an account field, which is what
 * sends a line through the whole redaction, as often as in the samples.
 */
export function writeSession(random: Random, { records, endsFailed }: SessionPlan): string {
  const session = new Transcript({
    sessionId: random.uuid(),
    cwd: `/srv/work/service-${random.skewed(200)}`,
    branch: random.chance(0.5) ? 'main' : `feature/${random.skewed(500)}`,
    version: `2.1.${random.int(60)}`,
    startedAt: new Date(Date.UTC(2026, 9, 20) + random.int(28 * 86_400) * 1000).toISOString(),
  })
  session.user(proseOf(random, random.size(300, 1, 6_000)))
  const last = endsFailed ? records - 2 : records
  while (session.lines.length < last) {
    if (random.chance(0.2)) {
      session.says(proseOf(random, random.size(350, 1, 8_000)))
      continue
    }
    const tool = random.pick(TOOLS)
    const failed = random.chance(0.08)
    const tail = random.chance(0.02)
      ? `\nSigned-off-by: ${random.pick(WORDS)} <${random.pick(WORDS)}@${random.pick(WORDS)}.example.com>`
      : ''
    session.call(
      tool,
      inputOf(tool, random),
      failed ? { fails: random.pick(FAILURES)(random) } : { ok: proseOf(random, resultChars(random)) + tail },
    )
  }
  if (endsFailed)
    session.call('Bash', { command: `npm run ${random.pick(WORDS)}` }, { fails: FAILURES[0]!(random) })
  return session.text
}

/** Writes short sessions that end failed, a file each, in forty folders as Claude Code keeps them. */
export function writeFailures(folder: string, random: Random, failures: number): void {
  for (let i = 0; i < failures; i++) {
    const project = path.join(folder, `-srv-work-${i % 40}`)
    mkdirSync(project, { recursive: true })
    writeFileSync(
      path.join(project, `${random.uuid()}.jsonl`),
      writeSession(random, { records: 8, endsFailed: true }),
    )
  }
}
