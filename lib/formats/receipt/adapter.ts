import { NO_INPUT } from '../../model/same-input'
import { receiptOf } from './read-receipt'
import type { Receipt, ReceiptFacts } from './receipt'
import { eventOf } from './receipt-event'
import { isObject, member } from './receipt-facts'
import { receiptHash } from './receipt-hash'
import { finish, notAnObject, type RecordContent } from '../claude/draft'
import { spanOf, wholeSpan } from '../claude/span'
import { idText, targetText, timeOf } from '../claude/text'
import { capText } from '../../text/cap-text'
import { failedResult } from '../claude/user'
import type { ReceiptFact } from '../../model/receipt-facts'
import type { Adapter, LineInput } from '../../model/adapter'
import type { CallFact, EventFacts, ResultFact } from '../../model/event-facts'
import { droppedBefore } from './dropped-events'

const SUBJECT = 'credentialSubject'

/**
 * Agent Receipts, each a stream of its own. What a receipt says of a call joins the session that its issuer names: the same call in a
 * transcript has the same id. A receipt is kept to the byte, also where it is no receipt that could be checked, and never changed: what is
 * secret in it was taken out before it was signed, if at all.
 *
 * @see docs/sources/receipts.md
 */
export const receipts: Adapter<null> = {
  channel: 'receipt',

  peek(value) {
    const { sessionId, agentId } = receiptOf(value).facts
    return { sessionId, agentId }
  },

  start: () => null,

  read(line) {
    if (!isObject(line.value)) return notAnObject(line, 'no-receipt', true)
    const receipt = receiptOf(line.value)
    const { facts } = receipt
    const receiptFact = factOf(receipt)
    const key = executionKey(facts)
    const content = tell(receipt, line)
    content.facts.receipt = receiptFact
    if (facts.promptPreview !== null) content.facts.asked = capText(facts.promptPreview, TITLE_CHARS)
    if (facts.actor !== null) content.facts.actor = capText(facts.actor, TITLE_CHARS)
    if (facts.model !== null) content.facts.model = capText(facts.model, TITLE_CHARS)
    if (facts.agentId !== null && facts.sessionId !== null)
      content.facts.childOf = { parentKey: idText(facts.sessionId), callId: null }
    if (receipt.malformed !== null)
      content.odd = {
        reason: 'wrong_type',
        detail: { id: 'unchecked_receipt', params: { why: receipt.malformed } },
      }
    // Without a chain and a session there is nothing that it could be found by.
    const homeless = key === null
    const type = facts.action.type ?? 'receipt'
    return finish(
      line,
      {
        executionKey: key ?? 'no-receipt',
        type,
        at: timeOf(facts.action.timestamp),
        uuid: null,
        parentUuid: null,
        homeless,
      },
      content,
      { wrong: [] },
      homeless,
    )
  },
}

/** The session that the issuer names, with its agent; else the chain stands for the session. */
function executionKey({ sessionId, agentId, chain }: ReceiptFacts): string | null {
  if (sessionId === null)
    return typeof chain.chainId === 'string' && chain.chainId !== '' ? idText(`chain-${chain.chainId}`) : null
  return agentId === null ? idText(sessionId) : `${idText(sessionId)}/agent-${idText(agentId)}`
}

const ID_CHARS = 2_000
const TITLE_CHARS = 300
const textOf = (value: unknown): string | null =>
  value === undefined || value === null
    ? null
    : capText(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), ID_CHARS)

function factOf(receipt: Receipt): ReceiptFact {
  const { facts, malformed } = receipt
  const { chain, action, outcome } = facts
  return {
    id: facts.id === null ? null : idText(facts.id),
    chainId: chainIdOf(chain.chainId),
    sequence: Number.isSafeInteger(chain.sequence) ? (chain.sequence as number) : null,
    hash: receiptHash(receipt),
    previousHash: textOf(chain.previousHash),
    status: textOf(outcome.status),
    actionType: textOf(action.type),
    tool: textOf(action.toolName),
    at: timeOf(action.timestamp),
    issuerId: textOf(facts.issuerId),
    sessionId: textOf(facts.sessionId),
    agentId: textOf(facts.agentId),
    correlationId: textOf(facts.correlationId),
    terminal: chain.terminal,
    event: eventOf(facts),
    malformed,
    ...present({
      dropped: droppedBefore(receipt),
      target: textOf(action.target),
      parametersHash: textOf(action.parametersHash),
      idempotencyKey: textOf(action.idempotencyKey),
      parent: parentOf(facts.delegation),
    }),
  }
}

/** Without what is not there: facts are stored for each receipt. */
const present = <T extends object>(facts: T): Partial<T> =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null)) as Partial<T>

const parentOf = (
  delegation: ReceiptFacts['delegation'],
): { chainId: string; receiptId: string | null } | null =>
  delegation?.parentChainId == null
    ? null
    : {
        chainId: idText(delegation.parentChainId),
        receiptId: delegation.parentReceiptId === null ? null : idText(delegation.parentReceiptId),
      }

/** The name of a chain as it is looked up by; a long one is shortened by its digest. */
function chainIdOf(value: unknown): string | null {
  const text = textOf(value)
  return text === null || text === '' ? null : idText(text)
}

function tell(receipt: Receipt, line: LineInput): RecordContent {
  const { facts } = receipt
  const event = eventOf(facts)
  if (event !== null) return { kind: 'meta', summary: { id: 'receipt_event', params: { event } }, facts: {} }
  const { action, outcome } = facts
  const call = callOf(receipt, line)
  if (call === null) return { kind: 'meta', summary: `Receipt ${facts.id ?? ''}`, facts: {} }
  const head = `${call.tool}${call.target === null ? '' : `: ${call.target}`}`
  if (outcome.status === 'failure') {
    const result: ResultFact =
      outcome.error === null
        ? {
            callId: call.callId,
            failed: true,
            span: spanOf(line, [SUBJECT, 'outcome']),
          }
        : failedResult(call.callId, outcome.error, action.toolName, line, [SUBJECT, 'outcome', 'error'])
    return {
      kind: 'result',
      summary: { id: 'call_failed', params: { tool: call.tool, text: result.text ?? null } },
      facts: { calls: [call], results: [result] },
    }
  }
  if (outcome.status === 'success') {
    const result: ResultFact = {
      callId: call.callId,
      failed: false,
      span: spanOf(line, [SUBJECT, 'outcome']),
    }
    return { kind: 'result', summary: `${head} done`, facts: { calls: [call], results: [result] } }
  }
  const facts_: EventFacts = { calls: [outcome.status === 'pending' ? call : { ...call, endUntold: true }] }
  return { kind: 'call', summary: head, facts: facts_ }
}

/** Which call it is about: the id that the transcript gives it too, else the receipt's own. */
function callOf({ facts, value }: Receipt, line: LineInput): CallFact | null {
  const { action } = facts
  const tool = action.toolName ?? action.type
  const callId = facts.correlationId ?? facts.id
  if (tool === null || callId === null) return null
  const resource = member(member(member(member(value, SUBJECT), 'action'), 'target'), 'resource')
  return {
    callId: idText(callId),
    tool: capText(tool, 200),
    target: typeof resource === 'string' && resource !== '' ? targetText(resource) : null,
    inputDigest: action.parametersHash ?? NO_INPUT,
    span: wholeSpan(line),
  }
}
