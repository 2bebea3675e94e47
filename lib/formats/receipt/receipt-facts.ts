import type { JsonObject, ReceiptFacts } from './receipt'

/** A member of its own: what objects inherit (`constructor`, `__proto__`) is not in the receipt. */
export const member = (object: unknown, key: string): unknown =>
  isObject(object) && Object.hasOwn(object, key) ? object[key] : undefined

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether the objects are there without which a chain cannot be followed. Everything else that is missing is the schema's business. */
export function hasNeededParts(value: JsonObject): boolean {
  const subject = member(value, 'credentialSubject')
  return ['chain', 'action', 'outcome'].every((part) => isObject(member(subject, part)))
}

/**
 * What the checks and lists read out of a receipt. Total: of what is no receipt, nothing is there.
 *
 * @see docs/sources/receipts.md
 */
export function factsOf(value: unknown): ReceiptFacts {
  const subject = member(value, 'credentialSubject')
  const issuer = member(value, 'issuer')
  const runtime = member(issuer, 'runtime')
  const chain = member(subject, 'chain')
  const action = member(subject, 'action')
  const outcome = member(subject, 'outcome')
  return {
    id: text(value, 'id'),
    version: text(value, 'version'),
    issuerId: text(issuer, 'id'),
    sessionId: text(issuer, 'session_id'),
    agentId: text(runtime, 'agent_id'),
    actor: text(runtime, 'agent_type') ?? text(issuer, 'name'),
    model: text(runtime, 'model') ?? text(issuer, 'model'),
    principalId: text(member(subject, 'principal'), 'id'),
    correlationId: text(subject, 'correlation_id'),
    chain: {
      chainId: member(chain, 'chain_id'),
      sequence: member(chain, 'sequence'),
      previousHash: member(chain, 'previous_receipt_hash'),
      terminal: member(chain, 'terminal') === true,
      status: member(chain, 'status'),
    },
    action: {
      type: text(action, 'type'),
      toolName: text(action, 'tool_name'),
      timestamp: text(action, 'timestamp'),
      target: targetOf(member(action, 'target')),
      parametersHash: text(action, 'parameters_hash'),
      idempotencyKey: text(action, 'idempotency_key'),
    },
    outcome: {
      status: member(outcome, 'status'),
      error: text(outcome, 'error'),
      responseHash: member(outcome, 'response_hash'),
    },
    delegation: delegationOf(member(subject, 'delegation')),
    promptPreview: promptPreviewOf(member(subject, 'intent')),
    keyRotation: member(subject, 'keyRotation') ?? null,
    proof: member(value, 'proof'),
  }
}

/** A text that is not empty. */
function text(object: unknown, key: string): string | null {
  const value = member(object, key)
  return typeof value === 'string' && value !== '' ? value : null
}

function targetOf(target: unknown): string | null {
  const [system, resource] = [text(target, 'system'), text(target, 'resource')]
  return system === null && resource === null ? null : `${system ?? ''} ${resource ?? ''}`.trim()
}

function promptPreviewOf(intent: unknown): string | null {
  const preview = text(intent, 'prompt_preview')
  return preview !== null &&
    member(intent, 'prompt_preview_truncated') === true &&
    !/(?:…|\.\.\.)$/.test(preview)
    ? `${preview}…`
    : preview
}

const delegationOf = (delegation: unknown): ReceiptFacts['delegation'] =>
  isObject(delegation)
    ? {
        parentChainId: text(delegation, 'parent_chain_id'),
        parentReceiptId: text(delegation, 'parent_receipt_id'),
        delegatorId: text(member(delegation, 'delegator'), 'id'),
      }
    : null
