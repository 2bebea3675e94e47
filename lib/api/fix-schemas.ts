import { z } from 'zod'
import { PROVENANCE_LINKS, PROVENANCE_ORIGINS, type ProvenanceValue } from '../model/provenance-facts'
import { limits } from '../limits'
import { FIX_STATES, PROPOSED_ORIGINS, REVIEW_STATES } from '../model/fix-states'
import type {
  FixProposal,
  FixBase,
  FixReason,
  FixLateReview,
  FixVerification,
  FixFlag,
  FixFile,
  FixReadingSummary,
  FixItem,
  FixDetail,
  FixReview,
  FixComment,
  FixByteFacts,
  FixBudget,
  FixAgent,
  FixVersion,
} from '../model/fix'
import { schemaText } from '../words/server/schemas'

/** Documents about fixes: what is proposed, what rules find in it, and what people say of it. The bytes of a patch never travel inside one. */

const sha256 = z.string().regex(/^[0-9a-f]{64}$/, schemaText.notADigest)
const instant = z.iso.datetime({ offset: true })
const words = (charsMax: number): z.ZodString => z.string().max(charsMax)
const orUnknown = <T extends z.ZodType>(type: T) => type.nullable().default(null)

export const fixBase = z.object({
  repository: orUnknown(words(2_000)),
  commit: orUnknown(z.string().regex(/^[0-9a-f]{7,64}$/)),
  tree: orUnknown(z.string().regex(/^[0-9a-f]{7,64}$/)),
  branch: orUnknown(words(500)),
  dirty: orUnknown(z.boolean()).meta({
    description: 'whether the tree held changes of its own; null: not known',
  }),
  dirtyDigest: orUnknown(words(200)),
  subDir: orUnknown(words(2_000)),
}) satisfies z.ZodType<FixBase>

const budgetPart = z.object({
  limit: orUnknown(z.number().nonnegative()),
  used: orUnknown(z.number().nonnegative()),
})
export const fixBudget = z.object({
  attempts: budgetPart.default({ limit: null, used: null }),
  wallClockMs: budgetPart.default({ limit: null, used: null }),
  endedBy: orUnknown(words(60)).meta({
    description: 'completed, attempts, wall-clock, error or another word of the producer',
  }),
}) satisfies z.ZodType<FixBudget>

export const fixAgent = z.object({
  name: orUnknown(words(200)),
  version: orUnknown(words(100)),
  profile: orUnknown(words(200)),
  model: orUnknown(words(200)),
  promptSha256: orUnknown(sha256),
  policySha256: orUnknown(sha256),
  grantedCommands: orUnknown(z.array(words(2_000)).max(200)),
  workspace: orUnknown(words(2_000)).meta({ description: 'what the agent worked in and how it was made' }),
  workspaceKind: orUnknown(words(100)).meta({
    description: 'checkout, sandbox, container or another word of the producer',
  }),
  workspaceId: orUnknown(words(500)).meta({
    description: 'what tells it from others: verification names the one it ran in',
  }),
}) satisfies z.ZodType<FixAgent>

export const fixVerification = z.object({
  phase: words(60).meta({ description: 'reproduce-before, after-patch or another word of the producer' }),
  argv: z.array(words(10_000)).max(500),
  exitCode: orUnknown(z.int()),
  startedAt: orUnknown(instant),
  durationMs: orUnknown(z.number().nonnegative()),
  outputSha256: orUnknown(sha256),
  outputTail: orUnknown(words(20_000)),
  workspaceId: orUnknown(words(500)).meta({ description: 'workspace that it ran in' }),
}) satisfies z.ZodType<FixVerification>

export const fixReason = z.object({
  file: words(5_000).meta({
    description: 'name of a file as the list of files has it, or one of its two names',
  }),
  line: orUnknown(z.int().positive()).meta({
    description: 'line of the new file, which stands for its hunk; null: about the whole file',
  }),
  text: words(20_000).min(1),
}) satisfies z.ZodType<FixReason>

const unknownBase = {
  repository: null,
  commit: null,
  tree: null,
  branch: null,
  dirty: null,
  dirtyDigest: null,
  subDir: null,
}
const unknownBudget = {
  attempts: { limit: null, used: null },
  wallClockMs: { limit: null, used: null },
  endedBy: null,
}
export const unknownAgent = {
  name: null,
  version: null,
  profile: null,
  model: null,
  promptSha256: null,
  policySha256: null,
  grantedCommands: null,
  workspace: null,
  workspaceKind: null,
  workspaceId: null,
}

/** What a proposer says beside the bytes. Everything may be left out: what is not said is unknown. */
export const fixProposal = z.strictObject({
  task: words(500).default(''),
  title: orUnknown(words(500)),
  explanation: orUnknown(words(100_000)).meta({
    description: 'why the change mends the failure, in the words of who proposes it',
  }),
  origin: z.enum(PROPOSED_ORIGINS).default('upload'),
  fileName: orUnknown(words(1_000)),
  sha256: sha256
    .optional()
    .meta({ description: 'digest of the patch; the proposal is refused when the bytes have another one' }),
  base: fixBase.default(unknownBase),
  budget: fixBudget.default(unknownBudget),
  agent: fixAgent.default(unknownAgent),
  verification: z.array(fixVerification).max(200).default([]),
  contextPackSha256: orUnknown(sha256),
  reasons: z
    .array(fixReason)
    .max(500)
    .default([])
    .meta({ description: 'why single hunks or files are as they are' }),
  mode: orUnknown(words(60)).meta({ description: 'manual or ci: how the run was started' }),
  enabledBy: orUnknown(words(500)).meta({ description: 'what allowed proposing in this mode' }),
  inputs: orUnknown(z.array(words(2_000)).max(5_000)).meta({
    description: 'declared inputs of the failing task, as patterns of paths',
  }),
  proposedAt: orUnknown(instant),
  expiresAt: orUnknown(instant),
  supersedes: orUnknown(z.uuid()).meta({ description: 'the fix that this one takes the place of' }),
}) satisfies z.ZodType<FixProposal>

const lineRange = z.object({ start: z.int(), end: z.int() })

export const fixFlag = z.object({
  family: z.string().meta({ description: 'safety, or signal for one of gaming the check' }),
  code: z.string(),
  weight: z.string().meta({ description: 'blocking, warning; high, medium, low' }),
  sentence: z.string(),
  detail: z.string().nullable(),
  file: z.int().nullable().meta({ description: 'place of the file in the patch, from 0' }),
  lines: lineRange.nullable().meta({ description: 'lines of the patch, from 1, both counted in' }),
}) satisfies z.ZodType<FixFlag>

export const fixFile = z.object({
  ordinal: z.int(),
  status: z.string().meta({
    description:
      'A M D R C; T: another kind of file, as a link that was a file. Where the section before takes the old one away, T stands at the one that makes the new one',
  }),
  name: z.string().meta({ description: 'as git lists it, with what is not text made visible' }),
  nameBase64: z.string().nullable().meta({ description: 'the bytes of the name where it is not UTF-8' }),
  oldName: z.string().nullable(),
  oldNameBase64: orUnknown(z.string()).meta({
    description: 'the bytes of the old name where it is not UTF-8',
  }),
  newName: z.string().nullable(),
  oldMode: z.string().nullable(),
  newMode: z.string().nullable(),
  oldBlob: orUnknown(z.string()).meta({
    description:
      'id of the file before, as its index line states it, often shortened; null: not stated, or no file',
  }),
  newBlob: orUnknown(z.string()).meta({ description: 'the same of the file after' }),
  similarity: z.int().nullable(),
  binary: z.boolean(),
  additions: z.int().nullable(),
  deletions: z.int().nullable(),
  hunks: z.int(),
  byteStart: z.int(),
  byteEnd: z.int(),
  line: z.int().meta({ description: 'its first line in the patch, from 1' }),
  sha256: sha256.meta({ description: 'of its bytes in the patch: what a mark "viewed" holds on to' }),
}) satisfies z.ZodType<FixFile>

const readingSummary = z.object({
  verdict: z
    .enum(['ok', 'error', 'unknown'])
    .meta({ description: 'whether git takes it: git apply --numstat; unknown while it is not read' }),
  problem: z.string().nullable(),
  files: z.int(),
  additions: z.int(),
  deletions: z.int(),
  hunks: z.int(),
  safe: z.boolean().meta({ description: 'no flag of it is blocking' }),
  blocking: z.array(z.string()),
  warnings: z.array(z.string()),
  signals: z.array(z.object({ code: z.string(), weight: z.string() })),
  rules: z.string().meta({ description: 'version of the rules that it was read by' }),
}) satisfies z.ZodType<FixReadingSummary>

export const fixItem = z.object({
  id: z.string(),
  project: z.string(),
  executionId: z.string(),
  executionTitle: z.string().nullable(),
  executionOutcome: z.string().nullable(),
  cause: z.string().nullable().meta({ description: 'cause sentence of the failure' }),
  task: z.string(),
  ordinal: z.int(),
  title: z.string().nullable(),
  origin: z.string(),
  state: z.string().meta({ description: FIX_STATES.join(', ') }),
  version: z
    .int()
    .meta({ description: 'counts the changes of the state; a review names the one that it has seen' }),
  sha256,
  size: z.int(),
  proposedBy: z.string(),
  notEnabled: z
    .boolean()
    .meta({ description: 'proposed in a run of CI, and nothing says that proposing there was enabled' }),
  agent: z.string().nullable(),
  model: z.string().nullable(),
  verdict: z.string().meta({ description: 'what the evidence of the proposer comes to' }),
  reading: readingSummary,
  comments: z.int(),
  supersedes: z.string().nullable(),
  supersededBy: z.string().nullable(),
  proposedAt: z.string().nullable(),
  receivedAt: z.string(),
  changedAt: z.string(),
  expiresAt: z.string().nullable(),
  url: z.string(),
}) satisfies z.ZodType<FixItem>

export const fixReview = z.object({
  id: z.string(),
  version: z.int(),
  from: z.string(),
  to: z.string(),
  by: z.string(),
  at: z.string(),
  sha256,
  comment: z.string(),
  acknowledged: z.array(z.string()),
  applied: z
    .object({ how: z.string(), commit: z.string().nullable(), exact: z.boolean().nullable() })
    .nullable()
    .meta({ description: 'what the person reports who applied it; null for other reviews' }),
  ownsKey: z.boolean().meta({ description: 'the person who decides made the key that proposed it' }),
}) satisfies z.ZodType<FixReview>

export const fixLateReview = z.object({
  by: z.string(),
  at: z.string(),
  to: z.string().meta({ description: 'what the person wanted to decide' }),
  seenVersion: z.int().meta({ description: 'of the state that the person had seen' }),
}) satisfies z.ZodType<FixLateReview>

export const fixComment = z.object({
  id: z.string(),
  thread: z.string().meta({ description: 'id of its first comment' }),
  fix: z.string().meta({ description: 'id of the fix that it was written on' }),
  ordinal: z.int().meta({ description: 'number of that fix: its version' }),
  kind: z.string().meta({ description: 'comment, resolve, reopen, withdraw' }),
  by: z.string(),
  isMine: z.boolean(),
  at: z.string(),
  text: z.string().nullable().meta({ description: 'null: it was withdrawn' }),
  sha256: sha256.meta({ description: 'patch that it is about' }),
  file: z.int().nullable().meta({ description: 'null: about the whole' }),
  path: z.string().nullable(),
  side: z.string().nullable().meta({ description: 'old or new' }),
  lineStart: z.int().nullable(),
  lineEnd: z.int().nullable(),
}) satisfies z.ZodType<FixComment>

const byteFacts = z.object({
  endsWithNewline: z.boolean(),
  byteOrderMark: z.boolean(),
  lineEndings: z.string(),
  validUtf8: z.boolean(),
  hasNul: z.boolean(),
  longestLine: z.int(),
  replacementCharacters: z.int(),
}) satisfies z.ZodType<FixByteFacts>

const fixVersion = z.object({
  id: z.string(),
  ordinal: z.int(),
  state: z.string(),
  sha256,
  receivedAt: z.string(),
  supersedes: z.string().nullable().meta({ description: 'the version whose place it took' }),
  requests: z
    .array(z.object({ by: z.string(), at: z.string(), comment: z.string() }))
    .meta({ description: 'what reviewers wrote who asked for changes' }),
}) satisfies z.ZodType<FixVersion>

export const fixDetail = fixItem.extend({
  explanation: z.string().nullable(),
  fileName: z.string().nullable(),
  downloadName: z.string(),
  run: z.object({ source: z.string(), id: z.string() }).meta({
    description: 'pipeline, else source, and the id of the run there, as they were when the fix came',
  }),
  base: fixBase,
  budget: fixBudget,
  agentDetail: fixAgent,
  verification: z.array(fixVerification),
  contextPackSha256: z.string().nullable(),
  transcript: z.object({ sha256, size: z.int() }).nullable(),
  mode: z.string().nullable(),
  enabledBy: z.string().nullable(),
  reasons: z.array(fixReason),
  facts: byteFacts.nullable().meta({ description: 'null: the patch is not read' }),
  files: z
    .array(fixFile)
    .meta({ description: 'the first ones, in the order of the patch; the others are at /files' }),
  flags: z
    .array(fixFlag)
    .meta({ description: 'the first ones; blocking ones before others. The others are at /flags' }),
  flagsTotal: z.int(),
  secretLines: z.array(lineRange).nullable().meta({
    description:
      'all lines of the patch that hold what looks like a secret, in order; null: not known, the patch is not read',
  }),
  secretsHidden: z.boolean().meta({
    description:
      'the reader may not see these lines: ranges of the patch come with * in their place, and the patch is not downloaded',
  }),
  reviews: z.array(fixReview),
  lateReviews: z
    .array(fixLateReview)
    .meta({ description: 'reviews that were not taken, because somebody else had decided first' }),
  mayBecome: z.array(z.string()).meta({ description: 'states that a review may lead to now, whoever asks' }),
  mayReview: z.boolean().meta({ description: 'whether the reader may decide' }),
  whyNotReview: z.string().nullable(),
  byOwnKey: z.boolean().meta({ description: 'it was proposed with a key that the reader made' }),
  versions: z.array(fixVersion).meta({ description: 'all fixes of this task of the execution' }),
}) satisfies z.ZodType<FixDetail>

const provenanceLink = z.object({
  link: z.enum(PROVENANCE_LINKS),
  facts: z.array(
    z.object({
      name: z.string(),
      value: (z.unknown() as z.ZodType<ProvenanceValue>).meta({
        description: 'null: nothing is known, or there is only a digest',
      }),
      sha256: sha256.nullable().meta({ description: 'digest of the bytes that it is about or stands in' }),
      origin: z.enum(PROVENANCE_ORIGINS),
    }),
  ),
})

export const fixProvenance = z.object({
  format: z.literal('inquest-provenance-1'),
  server: z.string(),
  fix: z.object({ id: z.string(), url: z.string(), state: z.string(), version: z.int(), sha256 }),
  links: z
    .array(provenanceLink)
    .meta({ description: 'from the failure to what became of the fix, in their order' }),
  comments: z.array(fixComment.omit({ isMine: true })),
  files: z.array(fixFile).meta({ description: 'all of them, in the order of the patch' }),
  patch: z.object({
    sha256,
    size: z.int(),
    base64: z
      .string()
      .nullable()
      .meta({ description: 'the proposed bytes; null where `bytes=none` was asked for' }),
  }),
})

export const newReview = z.strictObject({
  version: z.int().meta({ description: 'of the state that the reviewer has seen' }),
  sha256: sha256.meta({ description: 'of the bytes that are judged' }),
  to: z.enum(REVIEW_STATES),
  comment: words(20_000)
    .default('')
    .meta({ description: 'the reason of a decision; a report that it was applied may do without' }),
  acknowledged: z
    .array(words(100))
    .max(100)
    .default([])
    .meta({ description: 'codes of the signals of high weight that the reviewer has looked at' }),
  applied: z
    .strictObject({
      how: z.enum(['inquest fix apply', 'git apply', 'other']),
      commit: orUnknown(z.string().regex(/^[0-9a-f]{7,64}$/)),
      exact: orUnknown(z.boolean()),
    })
    .optional(),
})

export const newComment = z.strictObject({
  kind: z.enum(['comment', 'resolve', 'reopen', 'withdraw']).default('comment'),
  sha256,
  thread: z.uuid().nullable().default(null).meta({ description: 'null opens a thread' }),
  target: z.uuid().nullable().default(null).meta({ description: 'the comment that is withdrawn' }),
  text: words(20_000).default(''),
  file: z.int().nonnegative().nullable().default(null),
  side: z.enum(['old', 'new']).nullable().default(null),
  lineStart: z.int().positive().nullable().default(null),
  lineEnd: z.int().positive().nullable().default(null),
})

export const newSuggestion = z.strictObject({
  version: z.int().meta({ description: 'of the state that the person has seen' }),
  sha256: sha256.meta({ description: 'of the patch whose lines are changed' }),
  file: z.int().nonnegative().meta({ description: 'place of the file in the patch, from 0' }),
  start: z.int().positive().meta({ description: 'first line of the new file that goes' }),
  end: z.int().positive().meta({ description: 'the last one; both stand in one hunk' }),
  lines: z
    .array(
      words(20_000)
        .regex(/^[^\r\n]*$/, 'a line without a line break')
        .refine((line) => line.isWellFormed(), 'text with a lone surrogate'),
    )
    .max(5_000)
    .meta({ description: 'what stands there instead, each without its ending; none takes the lines out' }),
  reason: words(20_000)
    .refine((text) => text.trim() !== '', 'a reason')
    .meta({ description: 'why the change is better so' }),
})

export const proposedFix = z.object({
  fix: fixItem,
  isNew: z.boolean().meta({ description: 'false: the same bytes were proposed for this task before' }),
})
export const fixFacets = z.record(z.string(), z.array(z.object({ value: z.string(), count: z.int() })))
export const viewedMarks = z.object({
  viewed: z.array(sha256).meta({ description: 'digests of files that the reader has marked' }),
})
export const newViewedMark = z.strictObject({ sha256, viewed: z.boolean() })
export const newFixLink = z.strictObject({
  hours: z.int().min(1).max(limits.shareLinkHoursMax).default(limits.shareLinkSecretHoursMax),
  acknowledgeSecret: z
    .boolean()
    .default(false)
    .meta({
      description: `required where the patch holds a secret, or is not read yet; such a link lasts at most ${limits.shareLinkSecretHoursMax} hours`,
    }),
})
/** Why a link opens nothing; `open`: it does. */
export const FIX_LINK_STATES = ['open', 'revoked', 'expired', 'fix-closed', 'secret-found'] as const
export const fixLink = z.object({
  id: z.string(),
  state: z.enum(FIX_LINK_STATES),
  createdBy: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
  downloads: z.int(),
  lastDownloadAt: z.string().nullable(),
  revokedBy: z.string().nullable(),
  revokedAt: z.string().nullable(),
})
export const madeFixLink = fixLink.extend({
  url: z.string().meta({ description: 'its address, which is shown this once' }),
})

export type NewSuggestion = z.infer<typeof newSuggestion>

export type FixProvenance = z.infer<typeof fixProvenance>

export type NewReview = z.infer<typeof newReview>
export type NewComment = z.infer<typeof newComment>
export type FixLink = z.infer<typeof fixLink>
export type MadeFixLink = z.infer<typeof madeFixLink>
