import { redirect } from 'next/navigation'
import { links } from '@/lib/links'
import { pageAccess } from '../_server/page-access'

/** Settings open on the sources. */
export default async function SettingsPage() {
  await pageAccess()
  redirect(links.settings('sources'))
}
