'use client'

import './globals.css'

/** The last resort: the frame itself could not be drawn. */
export default function GlobalError({ error }: { error: unknown }) {
  const digest = error instanceof Error && 'digest' in error ? String(error.digest) : null
  return (
    <html lang="en">
      <body className="bg-bg text-ink">
        <title>Something went wrong · Inquest</title>
        <main className="mx-auto max-w-xl space-y-3 px-4 py-12">
          <h1 className="text-lg font-semibold">Something went wrong</h1>
          <p className="text-ink-2">The page could not be displayed. No data was lost.</p>
          {digest && (
            <p className="text-sm text-ink-3">
              Request <code className="font-mono">{digest}</code>
            </p>
          )}
          <button
            type="button"
            className="h-8 rounded border border-line-strong px-3 font-medium"
            onClick={() => window.location.reload()}
          >
            Try again
          </button>
        </main>
      </body>
    </html>
  )
}
