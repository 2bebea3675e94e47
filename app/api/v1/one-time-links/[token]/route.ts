import { v7 } from 'uuid'
import { auth } from '@/app/_server/auth'
import { readJson } from '@/app/_server/body'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { describeLink } from '@/app/_server/links'
import { refuseForeignOrigin } from '@/app/_server/origin'
import { json, Refusal } from '@/app/_server/respond'
import { countWrongLink } from '@/app/_server/sign-in-limit'
import { redeemOneTimeLink } from '@/db/people/one-time-links'
import { linkRedemption } from '@/lib/api/admin-schemas'
import { hashToken } from '@/lib/auth/tokens'
import { peopleProblemText } from '@/lib/words/server/people'

type Params = { token: string }

const notOpen = (): Refusal => new Refusal('not-found', peopleProblemText.linkUsed)

/** Guessing a token is hopeless; all the same, wrong ones from one address are slowed down. */
function wrongLink(headers: Headers): Refusal {
  countWrongLink(headers)
  return notOpen()
}

/** Tells what the link is for; does not use it up, so a preview or a prefetch does no harm. */
export const GET = defineRoute<{ public: string }, Params>(
  '/api/v1/one-time-links/{token}',
  { public: 'the token is the key' },
  async ({ request, params }) => {
    const link = await describeLink(params.token)
    if (!link) throw wrongLink(request.headers)
    return json(link)
  },
)

/** Uses the link up and signs in. */
export const POST = defineRoute<{ public: string }, Params>(
  '/api/v1/one-time-links/{token}',
  { public: 'the token is the key' },
  async ({ request, params }) => {
    refuseForeignOrigin(request)
    if (!(await describeLink(params.token))) throw wrongLink(request.headers)
    const given = await readJson(request, linkRedemption)
    const context = await auth().$context
    const outcome = await redeemOneTimeLink(db().sql, {
      tokenHash: hashToken(params.token),
      newPersonId: v7(),
      accountId: v7(),
      name: given.name,
      email: given.email,
      ...(given.password === undefined ? {} : { passwordHash: await context.password.hash(given.password) }),
    })
    if (!outcome.ok) {
      if (outcome.why === 'not-open') throw notOpen()
      if (outcome.why === 'incomplete') throw new Refusal('bad-request', peopleProblemText.linkFieldMissing)
      throw new Refusal('in-use', peopleProblemText.emailInUse)
    }
    const { headers } = await auth().api.startSession({
      body: { personId: outcome.personId },
      headers: request.headers,
      returnHeaders: true,
    })
    const response = json({ ok: true })
    for (const cookie of headers.getSetCookie()) response.headers.append('set-cookie', cookie)
    return response
  },
)
