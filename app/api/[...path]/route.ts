import { defineRoute } from '@/app/_server/define-route'
import { Refusal } from '@/app/_server/respond'

/** Any other address below `/api`: a problem document, not the page for people. */
const nothing = defineRoute(
  '/api/{path}',
  { public: 'it only says that nothing is here' },
  async ({ request }) => {
    throw new Refusal(
      'not-found',
      `There is no ${request.method} ${new URL(request.url).pathname.slice(0, 200)}. See /api/v1/openapi.json for all endpoints.`,
    )
  },
)

export { nothing as DELETE, nothing as GET, nothing as PATCH, nothing as POST, nothing as PUT }
