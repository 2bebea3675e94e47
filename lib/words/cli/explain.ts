import { countOf, formatCount } from '../../text/amounts'

/** What `inquest explain` prints beside the words of the screens. */
export const explainText = {
  isFolder: 'It is a folder. Name a file in it.',
  notRegular: 'It is not a regular file.',
  notOpened: ({ code }: { code: string }) => `It could not be opened (${code}).`,
  tooLarge: ({ size, max }: { size: string; max: string }) => `It has ${size}; at most ${max} are read.`,
  noReader: ({ why }: { why: string }) => `No reader for this format: ${why}.`,
  unknown: ({ why }: { why: string }) => `Not an agent file: ${why}.`,
  unknownFormat: 'Not an agent file: its format is unknown.',
  unreadable: ({ file, because }: { file: string; because: string }) => `${file}: not read. ${because}`,
  noFileNamed: '(no file named)',
  stdin: 'standard input',
  badConclusion: ({ word }: { word: string }) =>
    `The conclusion of the step is "${word}"; it must be failure, success, cancelled or skipped.`,
  nothingExplained: 'nothing to explain',
  groupTitle: ({ text }: { text: string }) => `Inquest: ${text}`,
  noRun: ({ file }: { file: string }) => `No agent run in ${file}`,
  noteTitle: ({ outcome, category, file }: { outcome: string; category: string | null; file: string }) =>
    `Agent run: ${outcome.toLowerCase()}${category === null ? '' : `, ${category}`} (${file})`,
  nothingInFile: 'The file contains no agent run.',

  outputStartCut: '… earlier output is left out',
  torn: 'The file is cut off: its last record is incomplete. Everything before it was read.',
  odd: ({ odd, records, first }: { odd: number; records: number; first: string }) =>
    `${odd > records ? countOf(odd, 'record') : `${odd} of ${countOf(records, 'record')}`} could not be understood; the first: ${first}`,

  linesBefore: ({ lines }: { lines: number }) => `… ${countOf(lines, 'line')} before`,
  linesAfter: ({ lines }: { lines: number }) => `… ${countOf(lines, 'more line')}`,
  outputCut: 'The middle of this output is left out.',
  noOutput: 'No error text.',
  possibleReasons: 'Possible reasons:',
  callNumber: ({ number }: { number: number }) => `call ${formatCount(number)}`,
  exitCode: ({ code }: { code: number }) => `exit code ${code}`,
  othersInFile: ({ executions }: { executions: number }) =>
    `${countOf(executions, 'more execution')} in this file:`,
  othersLeftOut: ({ executions }: { executions: number }) => `… and ${formatCount(executions)} more`,
} as const
