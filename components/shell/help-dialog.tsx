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
      [['g', 'i'], 'Start page, while nothing is there'],
      [['g', 'p'], 'Parity: where layers differ'],
      [['g', 'r'], 'Policies: decisions replayed'],
      [['y'], 'Copy the link to what is shown'],
      [['?'], 'This help'],
    ],
  ],
  [
    'In the list',
    [
      [['j', 'k'], 'Next, previous row (arrows too)'],
      [['Enter'], 'Open'],
      [['Space'], 'Peek beside the list'],
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
      [['Esc'], 'Every flip again'],
    ],
  ],
  [
    'In Parity',
    [
      [['←', '→', '↑', '↓'], 'From cell to cell of the heat map'],
      [['Enter'], 'Open the executions of a cell'],
      [['j', 'k'], 'Next, previous execution below'],
      [['v'], 'Read again; in an execution: compare again'],
      [['Esc'], 'Everything that differs'],
    ],
  ],
  [
    'In an execution',
    [
      [['1', '…', '8'], 'Cause, Calls, Timeline, Receipts, Diagnosis, Parity, Fixes, Raw'],
      [['p'], 'Fixes that were proposed for it'],
      [['d'], 'Open or close the decision'],
      [['z'], 'Undo the last change of a decision'],
      [['[', ']'], 'Previous, next attempt of the same work; a call, where it was run once'],
      [['n', 'N'], 'Next, previous failing call'],
      [['<', '>'], 'Previous, next execution of the list you came from'],
      [['Y'], 'Copy the pointer to the bytes'],
    ],
  ],
  [
    'In Fixes',
    [
      [['j', 'k'], 'Next, previous fix'],
      [['Enter'], 'Open'],
      [['f'], 'Facets'],
      [['Esc'], 'Every fix again'],
    ],
  ],
  [
    'In the review room',
    [
      [['J', 'K'], 'Next, previous file'],
      [['j', 'k'], 'Next, previous hunk'],
      [['n', 'N'], 'Next, previous flag that points at a file'],
      [['c'], 'Comment on the hunk, or the lines that are chosen'],
      [['e'], 'Suggest other lines in the place of those that are chosen'],
      [['V'], 'Mark the file as viewed, and fold it'],
      [['A'], 'Approve'],
      [['R'], 'Request changes'],
      [['D'], 'Download the patch'],
      [['s'], 'Split or unified'],
      [['w'], 'Ignore white space'],
      [['='], 'All changes, or those since the version before'],
    ],
  ],
  [
    'In a chain of receipts',
    [
      [['←', '→', '↑', '↓'], 'From receipt to receipt'],
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
                act without Ctrl or Cmd. Switched off, only Ctrl/Cmd K, Enter and arrows act.
              </span>
            </p>
          </div>
        </section>
      </div>
    </Dialog>
  )
}
