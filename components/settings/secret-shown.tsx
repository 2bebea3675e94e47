'use client'

import { CopyButton } from '../shared/copy-button'

/** Something that is shown once and never again. */
export const SecretShown = ({ what, text }: { what: string; text: string }) => (
  <div role="status" className="space-y-2 rounded border border-mark-line bg-mark p-3">
    <p className="font-medium">{what}</p>
    <div className="flex items-center gap-2 rounded bg-surface py-1 pr-1 pl-3">
      <code className="min-w-0 flex-1 font-mono text-sm break-all">{text}</code>
      <CopyButton text={text} label="Copy">
        Copy
      </CopyButton>
    </div>
  </div>
)
