'use client'

import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { NuqsAdapter } from 'nuqs/adapters/next/app'
import { Suspense, useEffect, useState } from 'react'
import { LiveBridge } from '@/components/live/live-bridge'
import { ProgramProvider } from '@/components/shared/program'
import { useOwnFonts } from '@/components/shared/own-fonts'
import { makeQueryClient } from '@/components/shared/query-client'
import { AddressKeeper } from '@/components/shell/address-keeper'

/** What every page needs: the cache, the address as state, the live connection. */
export function Providers({
  nonce,
  program,
  signedIn,
  reader,
  children,
}: {
  nonce: string | undefined
  /** How the command line is started. */
  program: string
  signedIn: boolean
  /** Who the page is made for; null for nobody, and while the database does not say. */
  reader: string | null
  children: React.ReactNode
}) {
  const [client] = useState(makeQueryClient)
  useOwnFonts()
  // Effects of what is below have run by now: keys and buttons answer. What was pressed before is done now (server/first-paint.ts).
  useEffect(() => {
    // Not from within an effect: there React puts the old value back into a box before what was typed into it counts.
    queueMicrotask(() => {
      window.dispatchEvent(new Event('inquest-ready'))
      // For whoever drives the page by a program and must not be quicker than it.
      document.documentElement.dataset.ready = ''
    })
  }, [])
  return (
    <CSPProvider nonce={nonce}>
      <QueryClientProvider client={client}>
        <NuqsAdapter>
          <ProgramProvider value={program}>{children}</ProgramProvider>
          <Suspense>
            <AddressKeeper />
          </Suspense>
          {signedIn && <LiveBridge reader={reader} />}
        </NuqsAdapter>
      </QueryClientProvider>
    </CSPProvider>
  )
}
