import { DECIDED_FAILURES } from '@/db/seed/decided-failures'
import { seedExecutions } from '@/db/seed/executions'
import { sessionLogRoot } from '@/db/seed/session-logs'
import { Transcript } from '@/db/seed/transcript'
import { ensureSource } from '@/db/writes/receive/ensure-source'
import { links } from '@/lib/links'
import { recordedRun, VIOLATES, type RecordedRun } from '@/lib/sample/recorded-run'
import { type Loading, post, send, sessionId } from './loading'
import { loadTranscripts } from './transcripts'

/**
 * The sample, transcripts, streams, hook frames, recorded runs and session logs, with what is odd, torn, sent
 * twice or holds a secret.
 */
export async function loadRuns(loading: Loading): Promise<void> {
  await post(`${links.api.sample()}?project=default`, { cookie: loading.people.operator })
  await loadTranscripts(loading)
  await loadHookFrames(loading)
  await loadRecords(loading)
  await loadSessionLogs(loading)
  await loadOtherProject(loading)
}

async function loadHookFrames(loading: Loading): Promise<void> {
  const frame = (n: number, event: string, more: object = {}): object => ({
    session_id: sessionId('0003', n),
    transcript_path: '/srv/x',
    cwd: '/srv/shop',
    hook_event_name: event,
    tool_name: 'Bash',
    tool_use_id: `toolu_hook_${n}`,
    tool_input: { command: 'npm test' },
    ...more,
  })
  for (const body of [
    frame(1, 'PreToolUse'),
    frame(1, 'PostToolUseFailure', { error: 'Exit code 2' }),
    frame(1, 'Stop', { last_assistant_message: 'I gave up.' }),
    frame(2, 'PreToolUse'),
    frame(2, 'PostToolUse', { tool_response: { stdout: 'ok' } }),
    frame(3, 'SessionEnd', { reason: 'other' }),
  ])
    await post('/api/hooks/claude-code', { key: loading.keys.agent, body })
  await post('/api/hooks/claude-code', { key: loading.keys.agent, body: 'no frame at all' })
}

async function loadRecords(loading: Loading): Promise<void> {
  const record = async (run: RecordedRun): Promise<void> => {
    const { stream, record: text } = recordedRun(run)
    if (stream !== null) await send(loading, 'claude-stream', stream)
    await send(loading, 'record', text)
  }
  let n = 0
  for (const run of Object.values<Omit<RecordedRun, 'id'>>(DECIDED_FAILURES))
    await record({ ...run, id: sessionId('0004', ++n) })
  await record({ id: sessionId('0004', ++n), result: null, stdout: 'Compiling\n', exitCode: 0 })
  await record({ id: sessionId('0004', ++n) })
  await record({ id: sessionId('0004', ++n), withoutEnd: true })
  await record({ id: sessionId('0004', ++n), result: VIOLATES, verdict: { outcome: 'failed' } as never })
  // CI: three attempts of one job with the variables of the provider, another job of the run, and a run of
  // another provider.
  const github = {
    provider: 'github',
    path: 'acme/shop',
    run: '77',
    job: 'agent',
    branch: 'main',
    commit: 'a'.repeat(40),
    url: null,
    repository: 'acme/shop',
  }
  for (const attempt of [1, 2, 3])
    await record({
      id: sessionId('0005', attempt),
      result: attempt === 3 ? undefined : VIOLATES,
      ci: { ...github, attempt },
      startedAt: `2026-11-02T08:0${attempt}:00.000Z`,
    })
  await record({
    id: sessionId('0005', 4),
    ci: { ...github, attempt: 1, job: 'docs' },
    command: ['claude', '-p', 'Review the docs'],
  })
  await record({
    id: sessionId('0005', 5),
    result: VIOLATES,
    ci: {
      ...github,
      provider: 'gitlab',
      path: 'group/sub/shop',
      run: '9',
      attempt: null,
      url: 'https://gitlab.example/9',
    },
  })
  // Sessions that continue from one another, and attempts that a caller named.
  for (const [i, resumes] of [null, 1, 2].entries()) {
    const more = resumes === null ? [] : ['--resume', sessionId('0006', resumes), '--fork-session']
    await record({
      id: sessionId('0006', i + 1),
      command: ['claude', '-p', 'go on', ...more],
      startedAt: `2026-11-03T08:0${i}:00.000Z`,
      result: i === 2 ? undefined : VIOLATES,
    })
  }
  for (const attempt of [1, 2])
    await record({
      id: sessionId('0007', attempt),
      result: VIOLATES,
      chain: { key: 'plan the shop', attempt },
      startedAt: `2026-11-04T08:0${attempt}:00.000Z`,
    })
}

async function loadSessionLogs(loading: Loading): Promise<void> {
  for (const [name, text] of sessionLogRoot({ runs: 24 }).files)
    await send(loading, 'autoskillit', text, {
      'inquest-file': encodeURIComponent(name),
      'inquest-source': 'kitchen',
    })
}

/**
 * Rows of the other project: seeded over two months, so that several partitions hold some, and one run of the
 * same id as here.
 */
async function loadOtherProject({ db, otherProjectId, people }: Loading): Promise<void> {
  const source = await db.sql.begin((tx) => ensureSource(tx, otherProjectId, 'claude-code', 'seeded'))
  await seedExecutions(db.sql, {
    projectId: otherProjectId,
    sourceId: source.id,
    count: 60,
    events: 2,
    newest: new Date('2026-11-20T00:00:00Z'),
  })
  const text = new Transcript({ sessionId: sessionId('0001', 1) })
    .user('The same session elsewhere')
    .call('Bash', { command: 'make' }, { fails: 'Exit code 2' }).text
  await post(`${links.api.ingest('claude-transcript')}?project=warehouse`, {
    cookie: people.admin,
    body: new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>,
  })
}
