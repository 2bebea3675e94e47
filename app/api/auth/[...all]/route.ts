import { auth } from '@/app/_server/auth'
import { readBody } from '@/app/_server/body'
import { defineRoute } from '@/app/_server/define-route'
import { endLiveStreams } from '@/app/_server/live-streams'
import { refuseForeignOrigin } from '@/app/_server/origin'
import { Refusal } from '@/app/_server/respond'
import { readSessionToken } from '@/app/_server/session'
import { limitPasswordCheck, limitSignIn, tooManyAttempts } from '@/app/_server/sign-in-limit'
import { db } from '@/app/_server/db'
import { readSessionAccess } from '@/db/queries/access'

/** What of better-auth's own addresses is open; the rest of them does not exist here. */
const SIGN_IN = 'POST sign-in/email'
const CHANGE_PASSWORD = 'POST change-password'
const OPEN = new Set(['GET get-session', SIGN_IN, 'POST sign-out', CHANGE_PASSWORD])

const BODY_MAX = 64 * 1024

const pass = defineRoute<{ public: string }, { all: string[] }>(
  '/api/auth/{all}',
  { public: 'signing in is what it is for' },
  async ({ request, params }) => {
    const address = `${request.method} ${params.all.join('/')}`
    if (!OPEN.has(address)) throw new Refusal('not-found')
    refuseForeignOrigin(request)
    const body = request.method === 'GET' ? null : await readBody(request, { max: BODY_MAX })
    const headers = new Headers(request.headers)
    // Read as what the account was read from; as a form, the same body could name another one.
    if (address === SIGN_IN) headers.set('content-type', 'application/json')
    const answer = (): Promise<Response> =>
      auth().handler(
        new Request(request.url, {
          method: request.method,
          headers,
          body: body as Uint8Array<ArrayBuffer> | null,
        }),
      )
    const response = await limited(address, body, request.headers, answer)
    if (response.ok) {
      const left = address === 'POST sign-out' ? await readSessionToken(request.headers) : null
      if (left !== null) endLiveStreams(left)
      return new Response(response.body, response)
    }
    throw await asRefusal(response)
  },
)

/** Answers what checks a password only as often as the account and the address may try. */
async function limited(
  address: string,
  body: Uint8Array | null,
  headers: Headers,
  answer: () => Promise<Response>,
): Promise<Response> {
  if (address === SIGN_IN) return limitSignIn(accountOf(body), headers, answer)
  const account = address === CHANGE_PASSWORD ? await accountSignedIn(headers) : null
  // Without a session no password is checked.
  return account === null ? answer() : limitPasswordCheck(account, headers, { answer, isWrong })
}

/** The account whose session this is, under the name that a sign-in counts it by. */
async function accountSignedIn(headers: Headers): Promise<string | null> {
  const token = await readSessionToken(headers)
  const person = token === null ? null : await readSessionAccess(db().sql, token)
  return person === null ? null : person.email.toLowerCase()
}

async function isWrong(response: Response): Promise<boolean> {
  const { code } = (await response
    .clone()
    .json()
    .catch(() => ({}))) as { code?: string }
  return code === 'INVALID_PASSWORD'
}

/** The account that a sign-in names; one that names none is counted for its address all the same. */
function accountOf(body: Uint8Array | null): string {
  try {
    const { email } = JSON.parse(new TextDecoder().decode(body ?? undefined)) as { email?: unknown }
    return typeof email === 'string' ? email.toLowerCase().slice(0, 254) : ''
  } catch {
    return ''
  }
}

/** better-auth answers in its own shape, and with 500 for a stopped database; readers of this API get one shape. */
async function asRefusal(response: Response): Promise<Refusal> {
  const { message } = (await response.json().catch(() => ({}))) as { message?: string }
  if (response.status === 429) return tooManyAttempts(Number(response.headers.get('x-retry-after')) || 60)
  if (response.status === 401) return new Refusal('not-signed-in', message)
  if (response.status === 403) return new Refusal('wrong-origin', message)
  if (response.status < 500) return new Refusal('bad-request', message)
  // The cause is unknown; a query shows whether it was the database.
  await db().sql`select 1`
  return new Refusal('internal')
}

export { pass as GET, pass as POST }
