import { limits } from '../../limits'
import { countOf, formatCount } from '../../text/amounts'

/** What `inquest import` prints. */
export const importText = {
  fileEmptied: ({ name }: { name: string }) => `${name}: the file is now empty. Data sent earlier was kept.`,

  removedMeanwhile: 'removed during the import: the source deletes its oldest runs',

  noFiles: 'No files found. Nothing was sent.',
  keptNotUnderstood: ({ odd }: { odd: number }) => `${countOf(odd, 'record')} kept without being understood`,
  calls: ({ all, failed }: { all: number; failed: number }) =>
    `${countOf(all, 'call')}, ${formatCount(failed)} failed.`,
  columnsDisagree: ({ disagreeingRows }: { disagreeingRows: number }) =>
    `${countOf(disagreeingRows, 'row')} whose columns disagree with ${disagreeingRows === 1 ? 'its' : 'their'} JSON. The JSON was used.`,
  conflicts: ({ conflicts }: { conflicts: number }) =>
    `${countOf(conflicts, 'conflict')}: receipts with a duplicate ID or chain position. All were kept.`,
  unsupported: ({ unsupported }: { unsupported: number }) =>
    `${countOf(unsupported, 'file')} in a format not supported yet`,
  notImported: ({ notTaken }: { notTaken: number }) => `${countOf(notTaken, 'file')} could not be imported`,
  kindsNotImported: ({ kinds }: { kinds: string }) => `${kinds} could not be imported`,
  notImportedIncluding: ({ notTaken, kinds }: { notTaken: number; kinds: string }) =>
    `${countOf(notTaken, 'file')} could not be imported, including ${kinds}`,
  whyPartly: ({ what }: { what: string }) =>
    `Exit status 1: ${what}. The reason is next to each file above. Everything else was imported.`,

  sentWithRun: ({ record }: { record: string }) => `sent with the ${record} of its run`,
  pipelineCache: 'pipeline cache: sent with its run where needed',
  unsupportedFormat: ({ why }: { why: string }) => `format not supported yet: ${why}`,

  runTooLarge: () =>
    `the files of the run, without logs, exceed ${limits.runBundleBytesMax / 1024 / 1024} MiB`,

  nothingNamed:
    'Nothing to import. Name files or folders, or use --claude for the agent history of this machine.',
  ciRunPage: ({ url }: { url: string }) => `CI run: ${url}`,
  ciRunSummary: ({ url }: { url: string }) => `[Open the failures of this run in Inquest](${url})`,
  ciRunRefused: ({ reason }: { reason: string }) =>
    `sent, but the server did not accept its CI run: ${reason}`,
  emptyList: 'an empty list, without records',
  stepItself: 'No agent records found. The CI step itself was sent.',
  framesSent: ({ sent }: { sent: number }) => `Sent ${countOf(sent, 'hook frame')} from the spool.`,
  recordsSent: ({ sent }: { sent: number }) => `Sent ${countOf(sent, 'record')} from the spool.`,
  spoolNotEmpty: 'Some data is still in the spool. Run `inquest doctor` to see why.',
  cannotTakeData: 'cannot accept data right now',
  takesDataAgain: 'The server accepts data again.',
  serverBack: 'The server is back.',
  watching: ({ files }: { files: number }) =>
    `Watching ${countOf(files, 'file')} and new files next to them. Press Ctrl-C to stop.`,
  sentAgain: ({ path }: { path: string }) =>
    `sent again: ${path}: its beginning changed since the last import`,
  moreLeftOut: ({ more }: { more: number }) =>
    `left out: ${countOf(more, 'more file')}; use --json to list all`,
  unfinished: 'The import did not finish. Run it again to continue where it stopped.',
  dryRunSendsNothing: 'a dry run sends nothing',

  unitTooLarge: ({ start, isDocument }: { start: number; isDocument: boolean }) =>
    `from byte ${start} on it holds ${isDocument ? 'a document' : 'a line'} of over ${limits.bodyBytesMax / 1024 / 1024} MiB`,
  shrank: 'it shrank while being read',
  differentData: 'the server received different data than was read',
  countedFrom: ({ reason, start }: { reason: string; start: number }) =>
    `${reason} (counted from byte ${start} of the file)`,

  tooManyOpenFiles: 'too many open files on this machine',
  notRead: ({ code, reason }: { code: undefined | string; reason: string }) =>
    `it could not be read (${code ?? reason})`,
  notFileOrFolder: 'not a file or folder',

  inotifyLimit: ({ code }: { code: string }) => `${code}, the limit of inotify watches`,
  pollingInstead: ({ why }: { why: undefined | string }) =>
    `Some folders can't be watched (${why}). Polling every second instead.`,
}
