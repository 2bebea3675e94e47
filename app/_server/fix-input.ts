import { createHash } from 'node:crypto'
import { fixProposal } from '@/lib/api/fix-schemas'
import { limits } from '@/lib/limits'
import { checked, readBody } from './body'
import { formParts, type FormPart } from './form-parts'
import { Refusal } from './respond'
import type { FixProposal } from '@/lib/model/fix'
import { fixProblemText } from '@/lib/words/server/fixes'

export interface FixInput {
  bytes: Uint8Array
  proposal: FixProposal
  transcript: Uint8Array | null
}

/** Short facts that a body of bytes alone may carry in its address. */
const IN_QUERY = ['task', 'title', 'fileName', 'supersedes', 'sha256'] as const

/**
 * A proposed fix as it is sent: the patch itself as the body, or a form (`multipart/form-data`) with `patch`, `proposal` (JSON) and `transcript`.
 * A patch never travels inside JSON: it need not be text.
 *
 * @throws Refusal `bad-request`, `too-large`, `wrong-digest`
 */
export async function readFixInput(request: Request, query: URLSearchParams): Promise<FixInput> {
  const type = request.headers.get('content-type') ?? ''
  if (/^application\/(?:[\w.+-]+\+)?json\b/i.test(type))
    throw new Refusal('bad-request', fixProblemText.patchInJson)
  if (/^multipart\/(?!form-data\b)/i.test(type)) throw new Refusal('bad-request', fixProblemText.formType)
  const input = /^multipart\/form-data\b/i.test(type)
    ? await readForm(request, type)
    : await readPlain(request, query)
  const { bytes, proposal } = input
  if (bytes.length === 0) throw new Refusal('bad-request', fixProblemText.patchEmpty)
  const digest = createHash('sha256').update(bytes).digest('hex')
  for (const [who, said] of [
    ['proposal', proposal.sha256 ?? null],
    ['Repr-Digest', digestHeader(request, 'repr-digest')],
    ['Content-Digest', digestHeader(request, 'content-digest')],
  ] as const) {
    if (said !== null && said !== digest && !(who !== 'proposal' && 'isForm' in input))
      throw new Refusal(
        'wrong-digest',
        fixProblemText.digestMismatch({ bytes: bytes.length, digest, who, said }),
      )
  }
  return { bytes, proposal, transcript: input.transcript }
}

async function readPlain(request: Request, query: URLSearchParams): Promise<FixInput> {
  const bytes = await readBody(request, { max: limits.patchBytesMax })
  const fields = Object.fromEntries(
    IN_QUERY.flatMap((name) => (query.get(name) === null ? [] : [[name, query.get(name)]])),
  )
  return { bytes, proposal: checked(fixProposal, fields), transcript: null }
}

async function readForm(request: Request, type: string): Promise<FixInput & { isForm: true }> {
  const body = await readBody(request, {
    max: limits.patchBytesMax + limits.fixTranscriptBytesMax + limits.fixProposalBytesMax,
  })
  const form = formParts(body, type)
  if (form === null) throw new Refusal('bad-request', fixProblemText.formMalformed)
  const bytes = part(form, 'patch', limits.patchBytesMax)
  if (bytes === null) throw new Refusal('bad-request', fixProblemText.formWithoutPatch)
  const proposalText = part(form, 'proposal', limits.fixProposalBytesMax)
  return {
    bytes,
    proposal: checked(fixProposal, proposalText === null ? {} : parsed(proposalText)),
    transcript: part(form, 'transcript', limits.fixTranscriptBytesMax),
    isForm: true,
  }
}

function part(form: readonly FormPart[], name: string, max: number): Uint8Array | null {
  const all = form.filter((one) => one.name === name)
  if (all.length > 1)
    throw new Refusal('bad-request', fixProblemText.formPartRepeated({ all: all.length, name }))
  const [one] = all
  if (one === undefined) return null
  // A part without a file name is text to whoever sends it, and its bytes may no longer be what they were.
  if (!one.isFile && name === 'patch') throw new Refusal('bad-request', fixProblemText.patchAsFile)
  if (one.bytes.length > max) throw new Refusal('too-large', `\`${name}\` is over ${max} bytes.`)
  return one.bytes
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    throw new Refusal('bad-request', `\`proposal\` is not JSON: ${(error as Error).message}.`)
  }
}

/** `sha-256=:<base64>:` of RFC 9530 as hex; null when it is not said. */
function digestHeader(request: Request, name: string): string | null {
  const found = /(?:^|,)\s*sha-256=:([A-Za-z0-9+/=]+):/.exec(request.headers.get(name) ?? '')
  return found ? Buffer.from(found[1]!, 'base64').toString('hex') : null
}
