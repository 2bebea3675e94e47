'use client'

import { useState } from 'react'
import { applySingleKeys, type Preferences } from '../shared/preferences'
import { Dialog } from '../shared/ui/dialog'
import { Kbd } from '../shared/ui/kbd'
import { Switch } from '../shared/ui/switch'

const TABLES: [string, [string[], string][]][] = [
  [
    'Everywhere',
    [
      [['Ctrl/Cmd K'], 'Go to an ID, URL or page'],
      [['g', 'e'], 'Executions'],
      [['g', 'f'], 'Fixes'],
      [['g', 'i'], 'Getting started (until data arrives)'],
      [['g', 'p'], 'Parity'],
      [['g', 'r'], 'Policies'],
      [['y'], 'Copy link to this view'],
      [['?'], 'Keyboard shortcuts'],
    ],
  ],
  [
    'Execution list',
    [
      [['j', 'k'], 'Next, previous row (or arrow keys)'],
      [['Enter'], 'Open'],
      [['Space'], 'Preview'],
      [['/'], 'Search'],
      [['f'], 'Facets'],
    ],
  ],
  [
    'Policies',
    [
      [['Tab', 'Enter'], 'Open the selected cell'],
      [['j', 'k'], 'Next, previous execution'],
      [['w'], 'Swap the two policies'],
      [['Esc'], 'Show all changed decisions'],
    ],
  ],
  [
    'Parity',
    [
      [['←', '→', '↑', '↓'], 'Move between heat map cells'],
      [['Enter'], 'List the executions of the cell'],
      [['j', 'k'], 'Next, previous execution'],
      [['v'], 'Reload, or compare again'],
      [['Esc'], 'Show all differences'],
    ],
  ],
  [
    'Execution',
    [
      [['1', '…', '8'], 'Cause, Calls, Timeline, Receipts, Diagnosis, Parity, Fixes, Raw'],
      [['p'], 'Proposed fixes'],
      [['d'], 'Open or close decision'],
      [['z'], 'Undo the last What if… change'],
      [['[', ']'], 'Previous, next attempt (or call, with one attempt)'],
      [['n', 'N'], 'Next, previous failing call'],
      [['<', '>'], 'Previous, next execution in the list'],
      [['Y'], 'Copy pointer to the raw data'],
    ],
  ],
  [
    'Fixes',
    [
      [['j', 'k'], 'Next, previous fix'],
      [['Enter'], 'Open'],
      [['f'], 'Facets'],
      [['Esc'], 'Show all fixes'],
    ],
  ],
  [
    'Fix review',
    [
      [['J', 'K'], 'Next, previous file'],
      [['j', 'k'], 'Next, previous hunk'],
      [['n', 'N'], 'Next, previous flag'],
      [['c'], 'Comment on the hunk or the selected lines'],
      [['e'], 'Suggest a change to the selected lines'],
      [['V'], 'Mark file as viewed'],
      [['A'], 'Approve'],
      [['R'], 'Request changes'],
      [['D'], 'Download the patch'],
      [['s'], 'Split or unified view'],
      [['w'], 'Ignore whitespace'],
      [['='], 'All changes, or since the previous version'],
    ],
  ],
  [
    'Receipt chain',
    [
      [['←', '→', '↑', '↓'], 'Move between receipts'],
      [['Enter'], 'Open the receipt'],
      [['Esc'], 'Close the receipt'],
      [['f'], 'Next failure'],
      [['v'], 'Verify again'],
    ],
  ],
]

export function HelpDialog({
  open,
  onClose,
  preferences,
}: {
  open: boolean
  onClose: () => void
  preferences: Preferences
}) {
  const [single, setSingle] = useState(preferences.singleKeys)
  return (
    <Dialog open={open} onClose={onClose} title="Keyboard shortcuts">
      <div className="grid gap-x-8 gap-y-5 p-4 sm:grid-cols-2">
        {TABLES.map(([name, rows]) => (
          <section key={name}>
            <h3 className="mb-2 text-sm font-medium text-ink-3">{name}</h3>
            <dl className="space-y-1.5">
              {rows.map(([keys, does]) => (
                <div key={does} className="flex items-baseline gap-3">
                  <dt className="flex w-22 shrink-0 gap-1">
                    {keys.map((key) => (
                      <Kbd key={key}>{key}</Kbd>
                    ))}
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        <section className="sm:col-span-2">
          <div className="flex items-center gap-3 border-t border-line pt-4">
            <Switch
              checked={single}
              label="Single-key shortcuts"
              onChange={(on) => {
                setSingle(on)
                applySingleKeys(on)
              }}
            />
            <p>
              Single-key shortcuts{' '}
              <span className="text-ink-2">
                work without Ctrl or Cmd. When off, only Ctrl/Cmd K, Enter and arrows work.
              </span>
            </p>
          </div>
        </section>
      </div>
    </Dialog>
  )
}
