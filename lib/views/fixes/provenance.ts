import type { AppliedReading } from '../../judge/fixes/applied'
import {
  PROVENANCE_LINKS,
  type ProvenanceFact,
  type ProvenanceLink,
  type ProvenanceLinkName,
  type ProvenanceOrigin,
  type ProvenanceValue,
} from '../../model/provenance-facts'
import { DIRTY_DIGEST_NAME, OWNS_KEY, TRIGGER_WORDS } from '../../words/provenance'
import type { FixDetail, FixFlag } from '../../model/fix'

/** What is known of the failure beside the fix. */
export interface ProvenanceFacts {
  fix: FixDetail
  /** Actor that proposed it. */
  proposedBy: string
  /** Null: the execution is not kept any more. */
  execution: {
    source: string
    sourceKind: string
    externalId: string
    title: string | null
    outcome: string
    job: string | null
    mode: string | null
    startedAt: string | null
    endedAt: string | null
  } | null
  failure: {
    attempts: number | null
    place: { place: number; attempts: number } | null
    error: string | null
    exitCode: number | null
    received: string | null
    packReceived: string | null
  }
  transcriptLines: number | null
  flags: readonly FixFlag[]
  /** Later executions of the same retry chain. */
  followUps: readonly {
    id: string
    externalId: string
    outcome: string
    startedAt: string | null
    rule: string
    basis: string
  }[]
  applied: AppliedReading | null
}

/** Every link with its facts; what nobody said is there, and unknown. */
export function provenanceLinks(known: ProvenanceFacts): ProvenanceLink[] {
  const { fix } = known
  // The import says what the files of the run say.
  const said = known.proposedBy === 'system' ? 'recorded' : 'by the proposer'
  const facts: Record<ProvenanceLinkName, ProvenanceFact[]> = {
    execution: ofExecution(known),
    failure: ofFailure(known, said),
    'context-pack': [
      digest('context pack', fix.contextPackSha256, said),
      ...(known.failure.packReceived === null
        ? []
        : [digest('stored, redacted, in', known.failure.packReceived, 'recorded')]),
    ],
    base: Object.entries({
      repository: fix.base.repository,
      commit: fix.base.commit,
      tree: fix.base.tree,
      branch: fix.base.branch,
      subdirectory: fix.base.subDir,
      dirty: fix.base.dirty,
      [DIRTY_DIGEST_NAME]: fix.base.dirtyDigest,
    }).map(([name, value]) => fact(name, value, said)),
    hook: [
      fact('trigger', TRIGGER_WORDS[fix.origin] ?? null, 'computed'),
      fact('mode', fix.mode ?? known.execution?.mode ?? null, fix.mode === null ? 'recorded' : said),
      fact('enabled by', fix.enabledBy, said),
    ],
    agent: ofAgent(known, said),
    policy: [
      digest('policy', fix.agentDetail.policySha256, said),
      fact('granted commands', fix.agentDetail.grantedCommands, said),
    ],
    budget: [
      ...(['attempts', 'wallClockMs'] as const).flatMap((part) => [
        fact(`${part} limit`, fix.budget[part].limit, said),
        fact(`${part} used`, fix.budget[part].used, said),
      ]),
      fact('ended by', fix.budget.endedBy, said),
    ],
    workspace: [
      fact('kind', fix.agentDetail.workspaceKind, said),
      fact('id', fix.agentDetail.workspaceId, said),
      fact('method', fix.agentDetail.workspace, said),
    ],
    transcript: [
      fact(
        'stored, redacted',
        fix.transcript === null ? null : 'transcript',
        'computed',
        fix.transcript?.sha256,
      ),
      fact('bytes', fix.transcript?.size ?? null, 'computed'),
      fact('lines', known.transcriptLines, 'computed'),
    ],
    patch: ofPatch(known, said),
    verification: ofVerification(known),
    findings: ofFindings(known),
    reviews: fix.reviews.map((review) =>
      fact(
        review.to,
        {
          by: review.by,
          at: review.at,
          from: review.from,
          version: review.version,
          reason: review.comment,
          acknowledged: review.acknowledged,
          ...(review.ownsKey && { note: OWNS_KEY }),
        },
        'recorded',
        review.sha256,
      ),
    ),
    application: ofApplication(known),
    'follow-ups': known.followUps.map(({ id, externalId, outcome, startedAt, rule, basis }) =>
      fact(
        externalId,
        { execution: id, outcome, startedAt, linkedBy: rule },
        basis === 'recorded' ? 'recorded' : 'computed',
      ),
    ),
  }
  return PROVENANCE_LINKS.map((link) => ({
    link,
    facts: facts[link].length > 0 ? facts[link] : [fact(EMPTY[link] ?? link, null, 'unknown')],
  }))
}

/** What is not known where a link has no fact. */
const EMPTY: Partial<Record<ProvenanceLinkName, string>> = {
  verification: 'commands',
  reviews: 'decision',
  application: 'report',
  'follow-ups': 'later execution',
}

const fact = (
  name: string,
  value: ProvenanceValue,
  origin: ProvenanceOrigin,
  sha256: string | null = null,
): ProvenanceFact => ({ name, value, sha256, origin: value === null && sha256 === null ? 'unknown' : origin })
const digest = (name: string, sha256: string | null, origin: ProvenanceOrigin): ProvenanceFact =>
  fact(name, null, origin, sha256)

function ofExecution({ fix, execution }: ProvenanceFacts): ProvenanceFact[] {
  const recordedFacts = {
    source: execution && `${execution.source} (${execution.sourceKind})`,
    'ID at the source': execution?.externalId ?? fix.run.id,
    title: execution?.title ?? null,
    job: execution?.job ?? null,
    outcome: execution?.outcome ?? null,
    'started at': execution?.startedAt ?? null,
    'ended at': execution?.endedAt ?? null,
  }
  return [
    fact('id', fix.executionId, 'recorded'),
    ...Object.entries(recordedFacts).map(([name, value]) => fact(name, value, 'recorded')),
  ]
}

const ofFailure = (
  { fix, failure: { attempts, place, error, exitCode, received } }: ProvenanceFacts,
  said: ProvenanceOrigin,
): ProvenanceFact[] => [
  fact('task', fix.task || null, said),
  fact('attempts', attempts, 'recorded'),
  fact('attempt number', place && { ...place }, 'computed'),
  fact('error', error, 'recorded', error === null ? null : received),
  fact('exit status', exitCode, 'recorded'),
]

function ofAgent(
  { fix: { proposedBy, proposedAt, receivedAt, agentDetail: agent }, proposedBy: actor }: ProvenanceFacts,
  said: ProvenanceOrigin,
): ProvenanceFact[] {
  return [
    fact('proposed by', { name: proposedBy, kind: actor.split(':')[0]! }, 'recorded'),
    fact('proposed at', proposedAt, said),
    fact('received at', receivedAt, 'recorded'),
    ...Object.entries({
      name: agent.name,
      version: agent.version,
      profile: agent.profile,
      model: agent.model,
    }).map(([name, value]) => fact(name, value, said)),
    digest('prompt', agent.promptSha256, said),
  ]
}

const ofPatch = ({ fix }: ProvenanceFacts, said: ProvenanceOrigin): ProvenanceFact[] => [
  fact('bytes', fix.size, 'computed', fix.sha256),
  fact('origin', fix.origin, said),
  fact('file name', fix.fileName, said),
  fact('title', fix.title, said),
  fact('explanation', fix.explanation, said),
  fact(
    'files',
    {
      files: fix.reading.files,
      additions: fix.reading.additions,
      deletions: fix.reading.deletions,
      hunks: fix.reading.hunks,
    },
    'computed',
  ),
  fact('file facts', fix.facts && { ...fix.facts }, 'computed'),
  fact('replaces', fix.supersedes, said),
  fact('expires at', fix.expiresAt, said),
]

const ofVerification = ({ fix: { verdict, verification } }: ProvenanceFacts): ProvenanceFact[] => [
  fact('verdict', verdict, 'computed'),
  ...verification.map(
    ({ phase, argv, exitCode, startedAt, durationMs, outputSha256, outputTail, workspaceId }) =>
      fact(
        phase,
        { argv, exitCode, startedAt, durationMs, workspaceId, outputTail },
        'by the proposer',
        outputSha256,
      ),
  ),
]

const ofFindings = ({ fix: { reading, sha256 }, flags }: ProvenanceFacts): ProvenanceFact[] => [
  fact('rules', reading.rules, 'computed'),
  fact('parse', { verdict: reading.verdict, problem: reading.problem }, 'computed', sha256),
  ...flags.map(({ family, code, weight, detail, file, lines }) =>
    fact(`${family}: ${code}`, { weight, detail, file, lines }, 'computed'),
  ),
]

function ofApplication({ fix: { reviews }, applied }: ProvenanceFacts): ProvenanceFact[] {
  return reviews.flatMap(({ to, by, at, applied: report }) =>
    to !== 'applied' || report === null
      ? []
      : [
          fact(
            'reported',
            { by, at, how: report.how, commit: report.commit, exact: report.exact },
            'recorded',
          ),
          fact(
            'seen',
            applied === null
              ? null
              : {
                  outcome: applied.outcome,
                  commit: applied.commit,
                  repository: applied.repository,
                  branch: applied.branch,
                  why: applied.why,
                },
            'computed',
          ),
        ],
  )
}
