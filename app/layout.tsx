import type { Metadata, Viewport } from 'next'
import { cookies, headers } from 'next/headers'
import { readPreferences } from '@/components/shared/preferences'
import { Shell } from '@/components/shell/shell'
import { NOBODY_KNOWN, type Viewer } from '@/components/shell/viewer'
import { pageText } from '@/lib/words/server/pages'
import type { Access } from './_server/access'
import { pageReader } from './_server/page-access'
import { programCommand } from './_server/program'
import { mono, sans } from './fonts'
import './globals.css'
import { Providers } from './providers'

export const metadata: Metadata = {
  title: { default: 'Inquest', template: '%s · Inquest' },
  description: pageText.description,
}
export const viewport: Viewport = {
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#fbfaf8' },
    { media: '(prefers-color-scheme: dark)', color: '#141311' },
  ],
}

// The page below decides what a reader may see and says it when the store is down; the frame only needs a name, and stays without one.
async function viewer(): Promise<Viewer | null> {
  try {
    const access = await pageReader()
    return access && viewerOf(access)
  } catch {
    return NOBODY_KNOWN
  }
}

const viewerOf = ({ actor, projects }: Access): Viewer => ({
  name: actor.name,
  email: actor.email,
  projects: projects.map(({ slug, name, role }) => ({ slug, name, role })),
})

export default async function RootLayout({ children }: { children: React.ReactNode }) {
  const [jar, head, known] = await Promise.all([cookies(), headers(), viewer()])
  const preferences = readPreferences((name) => jar.get(name)?.value)
  return (
    <html
      lang="en"
      className={`${sans.variable} ${mono.variable}`}
      suppressHydrationWarning
      data-theme={preferences.theme === 'system' ? undefined : preferences.theme}
      data-rail={preferences.railNarrow ? 'narrow' : 'wide'}
      data-fonts={preferences.ownFonts ? 'own' : undefined}
      data-single-keys={preferences.singleKeys ? 'on' : 'off'}
    >
      <body className="bg-bg text-ink">
        <Providers
          nonce={head.get('x-nonce') ?? undefined}
          program={programCommand(head)}
          signedIn={known !== null}
          reader={known?.email ?? null}
        >
          <Shell viewer={known} preferences={preferences}>
            {children}
          </Shell>
        </Providers>
      </body>
    </html>
  )
}
