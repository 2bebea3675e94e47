import type { Metadata } from 'next'
import { KeysScreen } from '@/components/settings/keys-screen'
import { OnlyAdmins, SettingsFrame } from '@/components/settings/settings-frame'
import { listKeys } from '@/db/queries/keys'
import { listReceiptKeys } from '@/db/queries/receipt-keys'
import { can } from '@/lib/auth/permissions'
import { look } from '../../_pages/look'
import { pageAccess } from '../../_server/page-access'
import { db } from '../../_server/db'

export const metadata: Metadata = { title: 'Keys' }

export default async function KeysPage() {
  const access = await look(() => pageAccess())
  const mine = access.projects.filter(({ role }) => can(role, 'manage-keys'))
  if (mine.length === 0)
    return (
      <SettingsFrame page="keys" lead="Programs sign in with a key.">
        <OnlyAdmins what="see and create keys" />
      </SettingsFrame>
    )
  const ids = mine.map(({ id }) => id)
  const [keys, receiptKeys] = await look(() =>
    Promise.all([listKeys(db().sql, ids), listReceiptKeys(db(), ids)]),
  )
  return <KeysScreen keys={keys} receiptKeys={receiptKeys} projects={mine.map(({ slug }) => slug)} />
}
