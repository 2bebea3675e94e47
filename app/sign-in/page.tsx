import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { OneTimeForm } from '@/components/sign-in/one-time-form'
import { SignInFrame } from '@/components/sign-in/sign-in-frame'
import { SignInForm } from '@/components/sign-in/sign-in-form'
import { firstRunState } from '@/db/queries/first-run'
import { safeNextPath } from '@/lib/auth/next-path'
import { limits } from '@/lib/limits'
import { look } from '../_pages/look'
import { one } from '../_pages/projects'
import { pageReader } from '../_server/page-access'
import { db } from '../_server/db'
import { describeLink } from '../_server/links'

export const metadata: Metadata = { title: 'Sign in', referrer: 'no-referrer' }

/** Password, or a one-time link: for the first admin, an invited person, a new password. Opening the page uses nothing up. */
export default async function SignInPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}) {
  const params = await searchParams
  const next = safeNextPath(one(params.next))
  const token = one(params.link)
  if (token !== null) {
    const link = await look(() => describeLink(token))
    return (
      <SignInFrame>
        {link ? (
          <OneTimeForm token={token} link={link} next={next} passwordCharsMin={limits.passwordCharsMin} />
        ) : (
          <SignInForm next={next} note="This link was used, has expired, or was replaced by a newer one." />
        )}
      </SignInFrame>
    )
  }
  if (await look(() => pageReader())) redirect(next)
  const { noPeople } = await look(() => firstRunState(db()))
  return (
    <SignInFrame>
      <SignInForm
        next={next}
        note={
          noPeople ? 'No account exists yet. Open the one-time link printed where Inquest was started.' : null
        }
      />
    </SignInFrame>
  )
}
