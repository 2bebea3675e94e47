import { defineRoute } from '@/app/_server/define-route'
import { Refusal } from '@/app/_server/respond'
import { requestText } from '@/lib/words/server/requests'

/** Any other address below `/api`: a problem document, not the page for people. */
const nothing = defineRoute(
  '/api/{path}',
  { public: 'it only says that nothing is here' },
  async ({ request }) => {
    throw new Refusal(
      'not-found',
      requestText.noSuchEndpoint({ method: request.method, pathname: new URL(request.url).pathname }),
    )
  },
)

export { nothing as DELETE, nothing as GET, nothing as PATCH, nothing as POST, nothing as PUT }
