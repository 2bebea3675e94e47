import { publicUrl } from '@/app/_server/config'
import { defineRoute } from '@/app/_server/define-route'
import { json } from '@/app/_server/respond'
import { openApi } from '@/lib/api/operations/openapi'
import { version } from '@/package.json'

export const GET = defineRoute(
  '/api/v1/openapi.json',
  { public: 'says how to ask, not what is stored' },
  async () => json(openApi(version, publicUrl())),
)
