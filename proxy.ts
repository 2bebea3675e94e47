import { type NextRequest, NextResponse } from 'next/server'
import { ciOnly } from './app/_server/ci-only'
import { contentSecurityPolicy } from './app/_server/csp'
import { findOnly } from './app/_server/find-only'
import { links } from './lib/links'

/** What has one page already is led there without making another page on the way; everything else is a page. */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  const { pathname, search } = request.nextUrl
  const lead = LEADS.find(({ below }) => pathname.startsWith(below))
  if (!lead) return page(request)
  const address = await lead.to(request.headers, pathname.slice(lead.below.length), search)
  return address === null
    ? page(request)
    : NextResponse.redirect(new URL(address, request.url), {
        headers: { 'cache-control': 'private, no-store' },
      })
}

const LEADS = [
  { below: links.anyId(''), to: findOnly },
  { below: `${links.ciRoot()}/`, to: ciOnly },
]

/** Gives each page a nonce of its own, and the policy that only scripts with it may run. */
function page(request: NextRequest): NextResponse {
  const nonce = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(18))))
  const policy = contentSecurityPolicy(nonce, process.env.NODE_ENV === 'development')
  const headers = new Headers(request.headers)
  headers.set('x-nonce', nonce)
  headers.set('content-security-policy', policy)
  // Layouts and pages are not told the address they were asked for; signing in needs it to come back.
  headers.set('x-inquest-path', request.nextUrl.pathname + request.nextUrl.search)
  const response = NextResponse.next({ request: { headers } })
  response.headers.set('content-security-policy', policy)
  return response
}

export const config = {
  // Whatever takes bodies or sends files stays out: Next cuts bodies at 10 MB, silently, where a proxy matches.
  matcher: [
    '/((?!api/|api$|mcp$|mcp/|receipts$|receipts/|healthz$|readyz$|metrics$|_next/static/|_next/image|favicon\\.ico$|icon\\.svg$|fixes/[^/]+\\.|shared/).*)',
  ],
}
