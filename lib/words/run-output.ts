import type { ExpectedOutput, OutputStream } from '../model/run-output'
import { countOf } from '../text/amounts'

/** The end of what a recorded process wrote, beside what was expected of it. */
export const OUTPUT_TEXT = {
  title: 'Output',
  streams: {
    stdout: 'Standard output',
    stderr: 'Standard error',
    answer: 'Answer',
  } satisfies Record<OutputStream['name'], string>,
  expected: {
    marker: 'Expected marker',
    pattern: 'Expected pattern',
  } satisfies Record<ExpectedOutput['what'], string>,
  states: {
    found: 'found',
    missing: 'not found',
    invalid: 'not a valid pattern',
    differs: 'not checked',
    unknown: 'not checked',
  } satisfies Record<ExpectedOutput['state'], string>,
  nothing: 'Nothing was written to stdout or stderr.',
  decisive: 'Decisive line',
  linesLeftOut: ({ lines }: { lines: number }) => `${countOf(lines, 'line')} not shown`,
  cut: 'Earlier output is in Raw.',
  whole: 'View full output',
  copy: 'Copy output',
}
