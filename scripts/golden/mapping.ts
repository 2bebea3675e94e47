import {
  codeOrDigest,
  digest,
  digestOrNull,
  flatAnswer,
  linkCode,
  pointerText,
  retryCodes,
  slug,
} from './codes'
import type { ProductRows } from './product-rows'
import type { Entity, Field, Scalar, Value } from './vocabulary'

/**
 * The one place that knows both the product's words and the record's. A rename in the product changes the
 * left side of a line here and nothing else; a verdict that gets a rule id of its own may be read from that
 * instead.
 */
export type Mapping = {
  [E in Entity]: {
    key: (row: ProductRows[E]) => (string | number | null)[]
    fields: { [F in Field<E>]: (row: ProductRows[E]) => Value }
  }
}

const words = (
  verdict: { contentState: string; outcome: string; retryReason: string; subtype: string } | null,
): Value =>
  verdict && {
    contentState: verdict.contentState,
    outcome: verdict.outcome,
    retryReason: verdict.retryReason,
    subtype: verdict.subtype,
  }
const rules = (trace: readonly { rule: string; stage: string }[]): string[] =>
  trace.map(({ rule, stage }) => `${stage}/${rule}`)
const counts = (record: object): Value =>
  Object.fromEntries(Object.entries(record as Record<string, Scalar>).sort(([a], [b]) => (a < b ? -1 : 1)))
const list = (values: readonly Scalar[] | undefined): Value =>
  values === undefined || values.length === 0 ? null : values

export const MAPPING: Mapping = {
  input: {
    key: (r) => [r.name],
    fields: {
      format: (r) => r.format,
      accepted: (r) => r.accepted,
      duplicates: (r) => r.duplicates,
      sha256: (r) => r.sha256,
    },
  },
  part: {
    key: (r) => [r.originalSha256.slice(0, 12)],
    fields: {
      format: (r) => r.kind,
      offset: (r) => r.byteOffset,
      keptSha256: (r) => r.sha256,
      keptBytes: (r) => r.keptLength,
    },
  },
  redaction: {
    key: (r) => [r.originalSha256.slice(0, 12), r.place],
    fields: { rule: (r) => r.rule, byteStart: (r) => r.byteStart, byteEnd: (r) => r.byteEnd },
  },
  odd: { key: (r) => r.at, fields: { reason: (r) => r.reason } },
  execution: {
    key: (r) => [r.externalId],
    fields: {
      outcome: (r) => r.outcome,
      outcomeRule: (r) => r.outcomeRule,
      outcomeBasis: (r) => r.outcomeBasis,
      failedAt: (r) => r.failedAt,
      causeCategory: (r) => r.causeCategory,
      causePointer: (r) => pointerText(r.causePointer),
      runRetry: (r) => retryCodes(r.advice).runRetry,
      callRetry: (r) => retryCodes(r.advice).callRetry,
      recoveredBy: (r) => retryCodes(r.advice).recoveredBy,
      afterOtherWork: (r) => retryCodes(r.advice).afterOtherWork,
      failuresLeftOut: (r) => r.advice?.failuresLeftOut ?? null,
      records: (r) => r.counts.records,
      calls: (r) => r.counts.calls,
      failedCalls: (r) => r.counts.failedCalls,
      failedByClass: (r) => counts(r.counts.failedByClass),
      callsWithoutResult: (r) => r.counts.callsWithoutResult,
      chains: (r) => r.counts.chains,
      recoveredChains: (r) => r.counts.recoveredChains,
      events: (r) => counts(r.events),
      oddRecords: (r) => r.odd,
      redactions: (r) => r.redactions,
      parent: (r) => r.parentKey,
      parentCall: (r) => r.parentCall,
      signalBreaches: (r) =>
        list(r.signalHints.map(({ breach, pointer }) => `${breach}@${pointerText(pointer)}`)),
      receiptFindings: (r) => r.silence && counts(r.silence.counts),
    },
  },
  failure: {
    key: (r) => [r.execution, r.place],
    fields: {
      chains: (r) => list(r.chains),
      workedAroundChains: (r) => list(r.doneOtherwise),
      failedCalls: (r) => r.failed,
      runRetry: (r) => retryCodes(r).runRetry,
      callRetry: (r) => retryCodes(r).callRetry,
      recoveredBy: (r) => retryCodes(r).recoveredBy,
      afterOtherWork: (r) => retryCodes(r).afterOtherWork,
    },
  },
  call: {
    key: (r) => [r.execution, r.callId],
    fields: {
      order: (r) => r.ordinal,
      tool: (r) => codeOrDigest(r.tool),
      target: (r) => digestOrNull(r.target),
      state: (r) => r.state,
      failureClass: (r) => r.failureClass,
      exitCode: (r) => r.exitCode,
      error: (r) => digestOrNull(r.errorText),
      // Only failures are pointed at from elsewhere; the places of all the others would be most of the
      // record.
      resultPointer: (r) => (r.state === 'failed' ? pointerText(r.resultPointer) : null),
      chain: (r) => r.chain,
      attempt: (r) => r.numberInChain,
      linkRule: (r) => linkCode(r),
      linkBasis: (r) => r.linkBasis,
      linkedTo: (r) => r.linkedTo ?? null,
      inputChanged: (r) => r.inputChanged,
      dependsOn: (r) => r.attachedTo && `${r.attachedTo.why}:${r.attachedTo.callId ?? ''}`,
      child: (r) => r.childKey,
    },
  },
  chain: {
    key: (r) => [r.execution, r.number],
    fields: {
      tool: (r) => codeOrDigest(r.tool),
      target: (r) => digestOrNull(r.target),
      failedCalls: (r) => list(r.failedCallIds),
      nextCall: (r) => r.nextCallId,
      recovered: (r) => r.recovered,
      runRetry: (r) => retryCodes(r.failure).runRetry,
      callRetry: (r) => retryCodes(r.failure).callRetry,
    },
  },
  disagreement: {
    key: (r) => [r.execution, r.callId, slug(r.fact)],
    fields: {
      values: (r) => list(r.values.map(({ channel, said }) => `${channel}=${codeOrDigest(said)}`)),
      used: (r) => codeOrDigest(r.used),
    },
  },
  decision: {
    key: (r) => [r.execution],
    fields: {
      basis: (r) => r.basis,
      policy: (r) => r.policy,
      contentState: (r) => r.contentState,
      outcome: (r) => r.outcome,
      retryReason: (r) => r.retryReason,
      subtype: (r) => r.subtype,
      rule: (r) => r.rule,
      missing: (r) => list(r.missing.map(slug)),
      differs: (r) => list(r.differs),
      inputRedacted: (r) => r.inputRedacted,
      recorded: (r) => words(r.recorded),
      recomputed: (r) => words(r.recomputed),
      recorderDiffers: (r) => r.recorder?.differs ?? null,
      trace: (r) => list(rules(r.trace)),
    },
  },
  policyVerdict: {
    key: (r) => [r.of, r.policy],
    fields: {
      contentState: (r) => r.contentState,
      outcome: (r) => r.outcome,
      success: (r) => r.success,
      needsRetry: (r) => r.needsRetry,
      retryReason: (r) => r.retryReason,
      subtype: (r) => r.subtype,
      trace: (r) => list(rules(r.trace)),
    },
  },
  jobAttempt: {
    key: (r) => [r.chainId, r.execution],
    fields: {
      rule: (r) => r.rule,
      basis: (r) => r.basis,
      attempt: (r) => r.attempt,
      failed: (r) => r.failed,
      inputs: (r) => digestOrNull(r.inputs),
    },
  },
  repeatedEffect: {
    key: (r) => [r.execution, r.rule, digest(r.name)],
    fields: {
      basis: (r) => r.basis,
      calls: (r) =>
        list(
          r.calls.map(
            ({ callId, done, receipts }) => `${callId}:${done ? 'done' : 'unclear'}:${receipts.length}`,
          ),
        ),
    },
  },
  receiptFinding: {
    key: (r) => [r.execution, r.place],
    fields: {
      kind: (r) => r.kind,
      count: (r) => r.count,
      call: (r) => r.callId,
      rule: (r) => r.rule,
      failureBy: (r) => r.failureBy,
      reason: (r) => r.reason,
      receipts: (r) => list(r.receipts.map(({ id, sequence }) => `${id ?? ''}#${sequence ?? ''}`)),
    },
  },
  storedChain: {
    key: (r) => [r.chainId],
    fields: {
      state: (r) => r.state,
      reason: (r) => r.reason,
      badSequence: (r) => r.badSequence,
      badReceipt: (r) => r.badReceiptId,
      receipts: (r) => r.receipts,
    },
  },
  receiptChain: {
    key: (r) => [r.of],
    fields: {
      state: (r) => r.state,
      valid: (r) => r.valid,
      reason: (r) => r.reason,
      reasonWithoutKey: (r) => r.reasonWithoutKey,
      badIndex: (r) => r.firstBadIndex,
      sequenceIssue: (r) => r.sequenceIssue,
      completeness: (r) => r.status,
      warnings: (r) => list(r.warnings.map(({ code }) => code)),
      receipts: (r) => r.rows.length,
      startsAbove: (r) => r.startsAbove,
    },
  },
  receipt: {
    key: (r) => [r.of, r.index],
    fields: {
      malformed: (r) => r.malformed,
      signature: (r) => r.signature,
      signatureFault: (r) => r.signatureFault,
      hashLink: (r) => r.hashLink,
      sequence: (r) => r.sequence,
      sequenceIssue: (r) => r.sequenceIssue,
      rotationFault: (r) => r.rotationFault,
      foreign: (r) => r.foreign,
      hash: (r) => r.hash,
    },
  },
  diagnosis: {
    key: (r) => [r.execution, r.step === null ? null : codeOrDigest(r.step), r.childId],
    fields: {
      state: (r) => r.state,
      category: (r) => r.category,
      retold: (r) => list(r.versions.map(({ state, pointer }) => `${state}@${pointerText(pointer)}`)),
      elsewhere: (r) => r.elsewhere?.externalId ?? null,
    },
  },
  parity: {
    key: (r) => [r.of],
    fields: {
      verdict: (r) => r.verdict,
      worst: (r) => r.worst,
      lostFrom: (r) => r.lost?.from ?? null,
      lostTo: (r) => r.lost?.to ?? null,
      differences: (r) => r.differencesTotal,
      changedParts: (r) => r.changedParts,
      layers: (r) => list(r.layers.map(({ form, layer, state }) => `${form}/${layer}:${state}`)),
    },
  },
  difference: {
    key: (r) => [
      r.of,
      `${r.form}/${r.from}->${r.to}`,
      r.path.length > 120 ? `#${digest(r.path)}` : r.path,
      r.kind,
    ],
    fields: { severity: (r) => r.severity },
  },
  patch: {
    key: (r) => r.of,
    fields: {
      sha256: (r) => r.sha256,
      verdict: (r) => r.verdict,
      problemLine: (r) => r.problemLine,
      safe: (r) => r.safe,
      applies: (r) => r.applies,
      files: (r) => r.files,
      hunks: (r) => r.hunks,
      additions: (r) => r.additions,
      deletions: (r) => r.deletions,
      origin: (r) => r.origin,
      state: (r) => r.state,
      evidence: (r) => r.evidence,
    },
  },
  flag: {
    key: (r) => [...r.of, r.code],
    fields: {
      family: (r) => r.family,
      weight: (r) => r.weight,
      file: (r) => r.file,
      lines: (r) => r.lines && `${r.lines.start}-${r.lines.end}`,
    },
  },
  failureSignal: {
    key: (r) => [r.of],
    fields: { failed: (r) => r.failed, kind: (r) => r.kind, exitCode: (r) => r.exitCode },
  },
  hookRun: {
    key: (r) => [r.of],
    fields: {
      stage: (r) => r.stage,
      tool: (r) => r.tool,
      errorCut: (r) => r.errorCut,
      missingPath: (r) => r.warnsMissingFilePath,
      receiptStatus: (r) => r.receiptStatus,
      receiptAction: (r) => r.receiptAction,
    },
  },
  answer: { key: (r) => [r.of, r.operation], fields: { value: (r) => flatAnswer(r.answer) } },
}
