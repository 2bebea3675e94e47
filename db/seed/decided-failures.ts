import { DELIVERS, RUN_MARKER, type RecordedRun } from '@/lib/sample/recorded-run'

type Run = Omit<RecordedRun, 'id'>

const stopped: Run = {
  resultRecord: null,
  channel: 'unmonitored',
  says: ['I am still looking for the plan.'],
}

/** A program that is no agent, as the recorder sees it. */
const plain: Run = { result: null, channel: 'unmonitored', command: ['make', 'check'] }

/** A failed run of every kind that a decision finds, for tests of what the reader sees. Invented content. */
export const DECIDED_FAILURES = {
  'contract violation': {
    result: `Here is the plan of the shop; I did not write it to a file.\nverdict = GO\n${RUN_MARKER}`,
    expect: ['plan_path\\s*=\\s*/.+', 'verdict\\s*=\\s*(GO|NO_GO)'],
  },
  'marker missing, channel A saw the end': { result: 'plan_path = /srv/shop/plan.md' },
  'marker missing, no channel': { result: 'Half of the plan', channel: 'unmonitored' },
  'failure signal with a reason': {
    result: `${DELIVERS}\n<octopus-task-failed>the staging database is 3 migrations behind</octopus-task-failed>`,
  },
  'failure signal without a reason': { result: `${DELIVERS}\n\`\`\`\n<octopus-task-failed/>\n\`\`\`` },
  'time was up': {
    ...stopped,
    termination: 'timed_out',
    signal: 'SIGTERM',
    killReason: 'infra_kill',
    seconds: 900,
  },
  killed: { ...stopped, signal: 'SIGKILL', stderr: 'memory cgroup out of memory\n' },
  'went silent': {
    ...stopped,
    termination: 'stale',
    signal: 'SIGTERM',
    killReason: 'infra_kill',
    seconds: 1_260,
  },
  'exit code without output': { result: null, stdout: '', exitCode: 3 },
  'exit code with a last word': { result: null, exitCode: 3, stderr: 'warming up\nthe oven is cold\n' },
  'command that is not there': {
    result: null,
    stdout: '',
    exitCode: 127,
    command: ['cluade', '-p', 'Plan the shop'],
  },
  'blank result': { result: '', channel: 'unmonitored' },
  crashed: { tokens: { input: 'many' as never, output: 5 } },
  'command without its marker': {
    ...plain,
    marker: 'DONE',
    stdout: '',
    stderr: 'cannot find config.yaml\n',
    exitCode: 3,
  },
  'command without its patterns': {
    ...plain,
    expect: ['plan = .+', 'shop'],
    stdout: 'shop\n',
    stderr: 'error: no plan\n',
    exitCode: 4,
  },
  'command whose error is on stdout': {
    ...plain,
    marker: 'DONE',
    stdout: "src/a.ts:3:5: error TS2345: Argument of type 'string' is not a number\nFound 1 error.\n",
    exitCode: 2,
  },
  'command that ended without its marker': { ...plain, marker: 'DONE', stdout: 'all done\n' },
} as const satisfies Record<string, Run>
