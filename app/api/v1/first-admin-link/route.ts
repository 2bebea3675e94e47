import { v7 } from 'uuid'
import { needsGlobalAdmin } from '@/app/_server/access'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { newLink } from '@/app/_server/links'
import { json, Refusal } from '@/app/_server/respond'
import { createFirstAdminLink } from '@/db/people/one-time-links'
import { peopleProblemText } from '@/lib/words/server/people'

/** A link that makes the first admin, for the command line of this machine: while there is no admin, its key is the only one that may ask. */
export const POST = defineRoute(
  '/api/v1/first-admin-link',
  { action: 'manage-people' },
  async ({ access }) => {
    needsGlobalAdmin(access)
    const { url, tokenHash, minutes, expiresAt } = newLink()
    if (!(await createFirstAdminLink(db().sql, { id: v7(), tokenHash, minutes })))
      throw new Refusal('in-use', peopleProblemText.adminExists)
    return json({ link: url, expiresAt }, { status: 201 })
  },
)
