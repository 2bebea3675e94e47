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
      [['Ctrl/Cmd K'], 'Go to an id, an address or a page'],
      [['g', 'e'], 'Executions'],
      [['g', 'f'], 'Fixes'],
      [['g', 'i'], 'Start page, until data arrives'],
      [['g', 'p'], 'Parity: where layers differ'],
      [['g', 'r'], 'Policies: decisions replayed'],
      [['y'], 'Copy link to this view'],
      [['?'], 'This help'],
    ],
  ],
  [
    'In the list',
    [
      [['j', 'k'], 'Next, previous row (arrows too)'],
      [['Enter'], 'Open'],
      [['Space'], 'Preview beside the list'],
      [['/'], 'Search'],
      [['f'], 'Facets'],
    ],
  ],
  [
    'In Policies',
    [
      [['Tab', 'Enter'], 'A cell of a picture: what stands in it'],
      [['j', 'k'], 'Next, previous row below'],
      [['w'], 'Swap the two policies'],
      [['Esc'], 'Show all changed decisions'],
    ],
  ],
  [
    'In Parity',
    [
      [['←', '→', '↑', '↓'], 'From cell to cell of the heat map'],
      [['Enter'], 'Open the executions of a cell'],
      [['j', 'k'], 'Next, previous execution below'],
      [['v'], 'Reload; in an execution: compare again'],
      [['Esc'], 'Everything that differs'],
    ],
  ],
  [
    'In an execution',
    [
      [['1', '…', '8'], 'Cause, Calls, Timeline, Receipts, Diagnosis, Parity, Fixes, Raw'],
      [['p'], 'Proposed fixes'],
      [['d'], 'Open or close the decision'],
      [['z'], 'Undo the last change to a decision'],
      [['[', ']'], 'Previous, next attempt; or call, if there was only one'],
      [['n', 'N'], 'Next, previous failing call'],
      [['<', '>'], 'Previous, next execution of the list you came from'],
      [['Y'], 'Copy pointer to the raw data'],
    ],
  ],
  [
    'In Fixes',
    [
      [['j', 'k'], 'Next, previous fix'],
      [['Enter'], 'Open'],
      [['f'], 'Facets'],
      [['Esc'], 'Show all fixes'],
    ],
  ],
  [
    'In the review room',
    [
      [['J', 'K'], 'Next, previous file'],
      [['j', 'k'], 'Next, previous hunk'],
      [['n', 'N'], 'Next, previous flag'],
      [['c'], 'Comment on the hunk or the selected lines'],
      [['e'], 'Suggest other lines in the place of those that are chosen'],
      [['V'], 'Mark the file as viewed and collapse it'],
      [['A'], 'Approve'],
      [['R'], 'Request changes'],
      [['D'], 'Download the patch'],
      [['s'], 'Split or unified'],
      [['w'], 'Ignore whitespace'],
      [['='], 'All changes, or changes since the previous version'],
    ],
  ],
  [
    'In a chain of receipts',
    [
      [['←', '→', '↑', '↓'], 'Move between receipts'],
      [['Enter'], 'Open the receipt'],
      [['Esc'], 'Close it'],
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
    <Dialog open={open} onClose={onClose} title="Keys">
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
              label="Single keys"
              onChange={(on) => {
                setSingle(on)
                applySingleKeys(on)
              }}
            />
            <p>
              Single keys{' '}
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
