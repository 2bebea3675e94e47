import { sampleRecords } from './recorded'
import { createSessionWriter, sampleSessionId } from './session-writer'

/** One file of the sample, as the ingest endpoint takes it. */
export interface SampleFile {
  kind: 'claude-transcript' | 'claude-stream' | 'record'
  /** Path below the folder of projects, with `/`; null where there is no file. */
  fileName: string | null
  text: string
}

const failed = (text: string): { fails: string } => ({ fails: `<tool_use_error>${text}</tool_use_error>` })

const TEST_OUTPUT = [
  'Exit code 1',
  '',
  '> storefront@4.2.0 test',
  '> vitest run src/checkout',
  '',
  ' FAIL  src/checkout/tax.test.ts > rounds each line, then sums',
  'AssertionError: expected 19.98 to be 19.99 // Object.is equality',
  '',
  '- Expected',
  '+ Received',
  '',
  '- 19.99',
  '+ 19.98',
  '',
  ' ❯ src/checkout/tax.test.ts:41:23',
  '',
  ' Test Files  1 failed | 6 passed (7)',
  '      Tests  1 failed | 58 passed (59)',
].join('\n')

/** Ends on a failing test run, after an edit that met a changed file: the last command never turned green. */
function failingTests(): string {
  const tax = '/home/dev/storefront/src/checkout/tax.ts'
  return createSessionWriter({
    number: 1,
    startedAt: '2026-11-18T09:12:00.000Z',
    cwd: '/home/dev/storefront',
    branch: 'fix/tax-rounding',
  })
    .asks(
      'The cart total is one cent off for carts with three or more lines. Fix the rounding in src/checkout/tax.ts and make the tests pass.',
    )
    .says('I will look at how the tax is rounded first.')
    .calls(
      'Edit',
      { file_path: tax, old_string: 'Math.floor(', new_string: 'Math.round(' },
      failed('File has not been read yet. Read it first before writing to it.'),
    )
    .calls(
      'Read',
      { file_path: tax },
      {
        ok: '     1→export function taxOf(lines: Line[]): number {\n     2→  return Math.floor(sum(lines) * RATE) / 100\n     3→}',
        result: { type: 'text', file: { filePath: tax, numLines: 3, startLine: 1, totalLines: 3 } },
      },
    )
    .calls(
      'Edit',
      { file_path: tax, old_string: 'Math.floor(', new_string: 'Math.round(' },
      {
        ok: `The file ${tax} has been updated.`,
        result: { filePath: tax, oldString: 'Math.floor(', newString: 'Math.round(' },
      },
    )
    .calls(
      'Bash',
      { command: 'npm test -- src/checkout', description: 'Run the checkout tests' },
      { fails: TEST_OUTPUT, seconds: 11 },
    )
    .says('Rounding the sum is not enough: each line has to be rounded before it is added.')
    .calls(
      'Edit',
      {
        file_path: tax,
        old_string: 'return Math.round(sum(lines) * RATE) / 100',
        new_string: 'return sum(lines.map(taxOfLine))',
      },
      failed(
        'File has been modified since read, either by the user or by a linter. Read it again before attempting to write it.',
      ),
    )
    .calls(
      'Bash',
      { command: 'npm test -- src/checkout', description: 'Run the checkout tests' },
      { fails: TEST_OUTPUT, seconds: 12 },
    )
    .text()
}

/**
 * Two calls fail: a file is looked for where it is not, and an edit, made again with the right text, succeeds. The run ends well: failed
 * calls do not make a failed run.
 */
function recovered(): string {
  const config = '/home/dev/storefront/config/cache.json'
  return createSessionWriter({
    number: 2,
    startedAt: '2026-11-18T10:40:00.000Z',
    cwd: '/home/dev/storefront',
    branch: 'main',
  })
    .asks('Raise the product cache to ten minutes.')
    .calls('Read', { file_path: '/home/dev/storefront/cache.json' }, failed('File does not exist.'))
    .calls(
      'Glob',
      { pattern: '**/cache*.json' },
      { ok: config, result: { filenames: [config], numFiles: 1, truncated: false } },
    )
    .calls(
      'Read',
      { file_path: config },
      {
        ok: '     1→{ "products": { "ttlSeconds": 60 } }',
        result: { type: 'text', file: { filePath: config, numLines: 1, startLine: 1, totalLines: 1 } },
      },
    )
    .calls(
      'Edit',
      { file_path: config, old_string: '"ttlSeconds" : 60', new_string: '"ttlSeconds": 600' },
      failed('String to replace not found in file.\nString: "ttlSeconds" : 60'),
    )
    .calls(
      'Edit',
      { file_path: config, old_string: '"ttlSeconds": 60', new_string: '"ttlSeconds": 600' },
      { ok: `The file ${config} has been updated.`, result: { filePath: config } },
    )
    .calls(
      'Bash',
      { command: 'npm run check:config', description: 'Check the configuration' },
      { ok: 'config/cache.json: ok', seconds: 3 },
    )
    .says(
      'The product cache now keeps entries for ten minutes (`config/cache.json`, `products.ttlSeconds` is 600). ' +
        'The configuration check passes.',
    )
    .text()
}

/** A person stopped it in the middle of a long command. */
function interrupted(): string {
  return createSessionWriter({
    number: 3,
    startedAt: '2026-11-19T14:05:00.000Z',
    cwd: '/home/dev/warehouse',
    branch: 'feature/stock-report',
  })
    .asks('Build the monthly stock report for all warehouses.')
    .calls(
      'Bash',
      { command: 'python report.py --all', description: 'Build the report' },
      {
        fails:
          'Exit code 2\nusage: report.py [-h] --month MONTH\nreport.py: error: the following arguments are required: --month',
        seconds: 2,
      },
    )
    .calls(
      'Bash',
      { command: 'python report.py --all --month 2026-10', description: 'Build the report for October' },
      { unanswered: true },
    )
    .interrupted()
    .text()
}

/** The model's server was overloaded, three times retried, then given up: nothing the agent did was wrong. */
function overloaded(): string {
  return createSessionWriter({
    number: 4,
    startedAt: '2026-11-20T07:31:00.000Z',
    cwd: '/home/dev/warehouse',
    branch: 'main',
  })
    .asks('Why does the nightly import skip parcels without weight?')
    .calls(
      'Grep',
      { pattern: 'weight', path: '/home/dev/warehouse/import' },
      {
        ok: 'import/parcel.py:88:    if not row["weight"]: continue',
        result: { mode: 'content', numFiles: 1 },
      },
    )
    .apiRetry(1, 529)
    .apiRetry(2, 529)
    .apiRetry(3, 529)
    .apiError(
      'API Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
      529,
      'overloaded',
    )
    .text()
}

const AGENT = 'a7c41d2e'

/** Hands the work to a sub-agent, whose command fails, and says so at the end. */
function parentOfSubagent(): string {
  return createSessionWriter({
    number: 5,
    startedAt: '2026-11-20T16:20:00.000Z',
    cwd: '/home/dev/storefront',
    branch: 'chore/dependencies',
  })
    .asks('Have a helper check which dependencies can be raised without breaking the build.')
    .calls(
      'Task',
      {
        description: 'Raise dependencies',
        prompt: 'Raise the minor versions, then run the build. Tell me what breaks.',
        subagent_type: 'general-purpose',
      },
      {
        ok: 'The build breaks with date-fns 4.2: `format` no longer accepts a string.',
        seconds: 64,
        result: {
          status: 'completed',
          agentId: AGENT,
          totalDurationMs: 64000,
          totalTokens: 18200,
          totalToolUseCount: 3,
          content: [{ type: 'text', text: 'The build breaks with date-fns 4.2.' }],
        },
      },
    )
    .says(
      'All minor versions can be raised except date-fns: with 4.2 the build breaks, because `format` no longer accepts a string. ' +
        'I left it at 4.1.',
    )
    .text()
}

function subagent(): string {
  return createSessionWriter({
    number: 5,
    startedAt: '2026-11-20T16:20:06.000Z',
    cwd: '/home/dev/storefront',
    branch: 'chore/dependencies',
    agentId: AGENT,
  })
    .asks('Raise the minor versions, then run the build. Tell me what breaks.')
    .calls(
      'Bash',
      { command: 'npx npm-check-updates -u --target minor', description: 'Raise minor versions' },
      {
        ok: ' date-fns  4.1.0 → 4.2.0\n zod       4.5.1 → 4.6.7\nRun npm install to install new versions.',
        seconds: 6,
      },
    )
    .calls(
      'Bash',
      { command: 'npm install', description: 'Install' },
      { ok: 'changed 2 packages in 4s', seconds: 5 },
    )
    .calls(
      'Bash',
      { command: 'npm run build', description: 'Build' },
      {
        fails:
          "Exit code 2\nsrc/orders/list.tsx(14,26): error TS2345: Argument of type 'string' is not assignable to parameter of type 'Date'.",
        seconds: 21,
      },
    )
    .says('The build breaks with date-fns 4.2: `format` no longer accepts a string.')
    .text()
}

/** A small history of our own, invented: one of each kind of ending, and attempts that were judged. The same bytes every time. */
export function sampleFiles(): SampleFile[] {
  const shop = '-home-dev-storefront'
  const depot = '-home-dev-warehouse'
  const transcripts = [
    { fileName: `${shop}/${sampleSessionId(1)}.jsonl`, text: failingTests() },
    { fileName: `${shop}/${sampleSessionId(2)}.jsonl`, text: recovered() },
    { fileName: `${depot}/${sampleSessionId(3)}.jsonl`, text: interrupted() },
    { fileName: `${depot}/${sampleSessionId(4)}.jsonl`, text: overloaded() },
    { fileName: `${shop}/${sampleSessionId(5)}.jsonl`, text: parentOfSubagent() },
    { fileName: `${shop}/${sampleSessionId(5)}/subagents/agent-${AGENT}.jsonl`, text: subagent() },
  ]
  return [
    ...transcripts.map((file) => ({ kind: 'claude-transcript' as const, ...file })),
    ...sampleRecords().map((one) => ({ ...one, fileName: null })),
  ]
}
