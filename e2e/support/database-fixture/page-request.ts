import './next-storage'
import { workAsyncStorage } from 'next/dist/server/app-render/work-async-storage.external'
import { workUnitAsyncStorage } from 'next/dist/server/app-render/work-unit-async-storage.external'

/** What a page module exports, as far as it is called here. */
export interface PageModule {
  default: (props: PageProps) => Promise<unknown>
  metadata?: { title?: unknown }
  generateMetadata?: (props: PageProps) => Promise<{ title?: unknown }>
}

export interface PageProps {
  params: Promise<Record<string, string | string[]>>
  searchParams: Promise<Record<string, string | string[]>>
}

/** What a reader meets at an address. */
export interface PageAnswer {
  status: number
  /** Where the page leads on to. */
  location?: string
  title?: string
}

/**
 * Calls a server component as Next does for a request with these headers; the screen below it is not
 * rendered.
 */
export async function callPage(page: PageModule, props: PageProps, headers: Headers): Promise<PageAnswer> {
  const title = await inRequest(
    headers,
    async () => (page.generateMetadata ? await page.generateMetadata(props) : page.metadata)?.title,
  )
  const answer = await inRequest(headers, async () => {
    await page.default(props)
    return { status: 200 }
  })
  if (typeof answer === 'object' && answer !== null && 'interrupted' in answer)
    return answer.interrupted as PageAnswer
  return { status: 200, ...(typeof title === 'string' ? { title } : {}) }
}

/** Runs what asks for `headers()`; a redirect and the like, which Next throws, is handed back. */
function inRequest(headers: Headers, work: () => Promise<unknown>): Promise<unknown> {
  // Pages only ask for the headers, so only they are there.
  const request = { type: 'request', phase: 'render', headers } as never
  return workAsyncStorage.run({ route: '/' } as never, () =>
    workUnitAsyncStorage.run(request, async () => work().catch(interruption)),
  )
}

function interruption(error: unknown): { interrupted: PageAnswer } {
  const digest = String((error as { digest?: unknown } | null)?.digest ?? '')
  const redirected = /^NEXT_REDIRECT;\w+;(.*);(\d{3});$/.exec(digest)
  if (redirected) return { interrupted: { status: Number(redirected[2]), location: redirected[1]! } }
  const fallback = /^NEXT_HTTP_ERROR_FALLBACK;(\d{3})$/.exec(digest)
  if (fallback) return { interrupted: { status: Number(fallback[1]) } }
  throw error
}
