import type { Db } from '@/db/client'
import { addReceiptKey } from '@/db/sources/receipt-keys'
import { proposeFix } from '@/db/fixes/propose-fix'
import { DECIDED_FAILURES } from '@/db/seed/decided-failures'
import { sessionLogRoot } from '@/db/seed/session-logs'
import { fixProposal } from '@/lib/api/fix-schemas'
import { judgeRun } from '@/lib/formats/claude/run-verdict'
import { secretSamples } from '@/lib/text/redaction/secret-samples.fixture'
import { compareLayers } from '@/lib/judge/parity/compare-layers'
import { runReferenceHook } from '@/lib/formats/receipt/hook-frame'
import { readReceipt } from '@/lib/formats/receipt/read-receipt'
import { recordedRun, type RecordedBodies } from '@/lib/sample/recorded-run'
import { SAMPLE_KEY_LABEL, sampleReceipts } from '@/lib/sample/receipts'
import { sampleFiles } from '@/lib/sample/sessions'
import { python } from '@/e2e/support/noetl/python-dialect'
import { rust } from '@/e2e/support/noetl/rust-dialect'
import type { Losses } from '@/e2e/support/noetl/losses'
import { seedRuns } from '@/e2e/support/noetl/seed'
import { noConclusions } from '../product-rows'
import { concludeBodies, type Body } from './ingest'
import { addChain } from './add-chain'
import {
  brokenLines,
  changedEdit,
  pipelineRun,
  repeatedPayments,
  secretsSession,
  WEAKENING_PATCH,
} from './own-inputs'
import type { Source } from './source'
import type { IngestKind } from '@/lib/model/ingest-kinds'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const body = (name: string, kind: IngestKind, text: string, fileName: string | null = null): Body => ({
  name,
  kind,
  bytes: bytesOf(text),
  fileName,
})

const sample: Source = {
  name: 'own/sample',
  async conclude(db) {
    const { key, chains } = await sampleReceipts()
    const bodies = [
      ...sampleFiles().map(({ kind, text, fileName }, i) =>
        body(`${i} ${fileName ?? kind}`, kind, text, fileName),
      ),
      ...chains.map(({ chainId, text }) => body(chainId, 'receipts', text)),
    ]
    const registerKeys = async ({ sql }: Db, projectId: string): Promise<void> => {
      for (const { chainId } of chains)
        await addReceiptKey(
          { sql },
          {
            projectId,
            key,
            label: SAMPLE_KEY_LABEL,
            chainId,
            isCurrent: false,
            addedBy: null,
            actor: 'system',
          },
        )
    }
    return concludeBodies(db, this.name, bodies, { checks: true, before: registerKeys })
  },
}

const runBodies = (name: string, { stream, record }: RecordedBodies): Body[] => [
  ...(stream === null ? [] : [body(`${name}, stream`, 'claude-stream', stream)]),
  body(`${name}, record`, 'record', record),
]

/** Every decided failure, and a patch that games the check, proposed for each run. */
const decidedFailures: Source = {
  name: 'own/decided-failures',
  conclude(db) {
    const runs = Object.entries(DECIDED_FAILURES).map(([name, run], i) => {
      const id = `0c0c0c0c-0000-4000-8000-${String(i).padStart(12, '0')}`
      // What the recorder judged is compared with what is recomputed; the first run has a recorder that saw
      // no failure.
      const verdict =
        i === 0 ? { failed: false, kind: 'none', reason: null, text: null, failedOn: null } : null
      return runBodies(name, recordedRun({ id, verdict, ...run }))
    })
    return concludeBodies(db, this.name, runs.flat(), { checks: true, after: proposeWeakening })
  },
}

async function proposeWeakening(db: Db, projectId: string): Promise<void> {
  const executions = await db.sql<{ id: string }[]>`
    select id from executions where project_id = ${projectId} and outcome = 'failed' order by external_id
      limit 2`
  for (const { id } of executions) {
    await proposeFix(db, {
      projectId,
      executionId: id,
      bytes: bytesOf(WEAKENING_PATCH),
      proposal: fixProposal.parse({ task: 'test' }),
      actor: 'system',
      actorName: 'golden',
    })
  }
}

const sessionLogs: Source = {
  name: 'own/session-logs',
  conclude(db) {
    const bodies = [...sessionLogRoot().files].map(([path, text]) => body(path, 'autoskillit', text, path))
    return concludeBodies(db, this.name, bodies)
  },
}

const DIALECTS = { python, rust }
const LOSSES: Record<string, Losses> = {
  whole: {},
  'scalars-only': { scalarOnlyProjection: true },
  'flat-diagnosis': { flatDiagnosis: true },
  'handles-only': { handleInsteadOfDiagnosis: true },
}

/**
 * The runs of the stand-in as each dialect writes them, once whole and once with what its server is known
 * to lose.
 */
function standIn(dialect: keyof typeof DIALECTS, loss: string): Source {
  const name = `own/noetl-stand-in/${dialect}-${loss}`
  return {
    name,
    conclude(db) {
      const runs = seedRuns()
      const question = { runs, query: new URLSearchParams('page_size=500'), losses: LOSSES[loss]! }
      const bodies = runs.map((run) =>
        body(run.executionId, 'noetl', DIALECTS[dialect].one('detail', run, question)!.body),
      )
      return concludeBodies(db, name, bodies, { checks: true })
    },
  }
}

const ownInputs: Source = {
  name: 'own/inputs',
  conclude(db) {
    const bodies = [
      body('secrets', 'claude-transcript', secretsSession()),
      body('broken lines', 'claude-transcript', brokenLines()),
      body('changed edit', 'claude-transcript', changedEdit()),
      ...pipelineRun().map(
        ({ name, bytes }): Body => ({ name, kind: 'async-pipeline', bytes, fileName: null }),
      ),
    ]
    return concludeBodies(db, this.name, bodies, { checks: true })
  },
}

/**
 * One session of which its log and the record of its process say different things, and a record with a
 * secret in it.
 */
const disagreements: Source = {
  name: 'own/disagreements',
  conclude(db) {
    const { files, runs } = sessionLogRoot({ runs: 8 })
    const logged = runs.find(({ sessionId }) => sessionId !== null)!
    const logs = [...files]
      .filter(([path]) => path.includes(logged.dir))
      .map(([path, text]) => body(path, 'autoskillit', text, path))
    const secret = secretSamples().find(({ rule }) => rule === 'github')!.text
    const bodies = [
      ...logs,
      ...runBodies('the same session', recordedRun({ id: logged.sessionId! })),
      ...runBodies(
        'a secret',
        recordedRun({ id: '5ec7e751-0000-4000-8000-000000000001', result: `${secret}\nno plan` }),
      ),
    ]
    return concludeBodies(db, this.name, bodies)
  },
}

const receipts: Source = {
  name: 'own/receipts',
  async conclude(db) {
    const { publicKey, texts } = await repeatedPayments()
    const found = await concludeBodies(db, this.name, [
      body('payments', 'receipts', texts.map((text) => `${text}\n`).join('')),
    ])
    const read = texts.map(readReceipt)
    await addChain(found, 'whole', read, publicKey)
    await addChain(found, 'one is missing', read.toSpliced(2, 1), publicKey)
    await addChain(found, 'one is torn', read.with(1, readReceipt(texts[1]!.slice(0, -5))), publicKey)
    return found
  },
}

const HOOK_FRAME = JSON.stringify({
  session_id: 's1',
  hook_event_name: 'PostToolUseFailure',
  tool_name: 'Edit',
  tool_input: { file_path: '/srv/shop/a.ts' },
  error: 'not found',
})

/** What a comparison of layers a hook and a process conclude of evidence that is made up. */
const functions: Source = {
  name: 'own/functions',
  async conclude() {
    const found = noConclusions()
    const { verdict, ...compared } = compareLayers([
      { layer: 'source', text: '{"a":{"diagnosis":{"root_cause":"x"}},"n":1}' },
      { layer: 'persisted', text: '{"a":{},"n":"1"}' },
    ])
    const differences = compared.transitions.flatMap(({ from, to, differences: all }) =>
      all.map((one) => ({ of: 'layers', form: 'case', from, to, ...one })),
    )
    found.difference.push(...differences)
    found.parity.push({
      of: 'layers',
      verdict,
      worst: compared.worst,
      lost: compared.firstCritical,
      differencesTotal: differences.length,
      changedParts: 0,
      layers: [],
    })
    const { stage, frame, errorCut, warnsMissingFilePath } = runReferenceHook(HOOK_FRAME, false)
    found.hookRun.push({
      of: 'failed edit',
      stage,
      tool: frame?.tool.name ?? null,
      errorCut,
      warnsMissingFilePath,
      receiptStatus: null,
      receiptAction: null,
    })
    const { failed, kind } = judgeRun(3, null)
    found.failureSignal.push({ of: 'exit code 3', failed, kind, exitCode: 3 })
    found.answer.push({ of: 'exit code 3', operation: 'judge_run', answer: { kind } })
    return found
  },
}

/** The project's own seeds: there whatever else is. */
export const ownSources: readonly Source[] = [
  sample,
  decidedFailures,
  sessionLogs,
  ownInputs,
  disagreements,
  receipts,
  functions,
  ...Object.keys(LOSSES).map((loss) => standIn('python', loss)),
  standIn('rust', 'whole'),
]
