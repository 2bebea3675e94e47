'use client'

import { CopyButton } from './copy-button'

/** A command to run, whole, with a button that copies it. */
export const Command = ({ text }: { text: string }) => (
  <div className="flex items-start gap-2 rounded border border-line bg-sunken py-1.5 pr-1.5 pl-3">
    <pre className="min-w-0 flex-1 py-1 font-mono text-sm whitespace-pre-wrap">{text}</pre>
    <CopyButton text={text} label="Copy the command">
      Copy
    </CopyButton>
  </div>
)
