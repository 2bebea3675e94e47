import { auth } from '@/app/_server/auth'
import { readBody } from '@/app/_server/body'
import { defineRoute } from '@/app/_server/define-route'
import { endLiveStreams } from '@/app/_server/live-streams'
import { refuseForeignOrigin } from '@/app/_server/origin'
import { Refusal } from '@/app/_server/respond'
import { readSessionToken } from '@/app/_server/session'
import { limitSignIn, tooManyAttempts } from '@/app/_server/sign-in-limit'
import { db } from '@/app/_server/db'

/** What of better-auth's own addresses is open; the rest of them does not exist here. */
const OPEN = new Set(['GET get-session', 'POST sign-in/email', 'POST sign-out', 'POST change-password'])

const BODY_MAX = 64 * 1024

const pass = defineRoute<{ public: string }, { all: string[] }>(
  '/api/auth/{all}',
  { public: 'signing in is what it is for' },
  async ({ request, params }) => {
    const address = `${request.method} ${params.all.join('/')}`
    if (!OPEN.has(address)) throw new Refusal('not-found')
    refuseForeignOrigin(request)
    const body = request.method === 'GET' ? null : await readBody(request, { max: BODY_MAX })
    const account = address === 'POST sign-in/email' ? accountOf(body) : null
    const headers = new Headers(request.headers)
    // Read as what the account was read from; as a form, the same body could name another one.
    if (account !== null) headers.set('content-type', 'application/json')
    const answer = (): Promise<Response> =>
      auth().handler(
        new Request(request.url, {
          method: request.method,
          headers,
          body: body as Uint8Array<ArrayBuffer> | null,
        }),
      )
    const response = await (account === null ? answer() : limitSignIn(account, request.headers, answer))
    if (response.ok) {
      const left = address === 'POST sign-out' ? await readSessionToken(request.headers) : null
      if (left !== null) endLiveStreams(left)
      return new Response(response.body, response)
    }
    throw await asRefusal(response)
  },
)

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
