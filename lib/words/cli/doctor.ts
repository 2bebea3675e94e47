import { countOf, formatBytes } from '../../text/amounts'

const waits = (n: number): string => (n === 1 ? 'waits' : 'wait')

/** What `inquest doctor` finds, and what to do about it. */
export const doctorText = {
  installNode: ({ version }: { version: string }) => `Install Node ${version} or newer.`,
  otherServerNamed: ({ origin, named }: { origin: string; named: string }) =>
    `${origin} (server.json names ${named}, which does not answer)`,
  checkUrl: 'Check that the URL points to Inquest.',
  startServer: 'Start it with `npm start` in the clone, or set INQUEST_URL to its address.',
  ingestKeyIsEnough:
    'This is enough to send data, and right for CI. Commands that read need a key with the scope read.',
  useKeyWithScope: ({ scope }: { scope: string }) =>
    `Use a key with the scope ${scope}: Settings > Keys, or \`inquest token create\`.`,
  analysisFailedFor: ({ total }: { total: number }) =>
    `failed for ${countOf(total, 'execution')}; all records are kept`,
  failedAnalysesListed: ({ origin, path }: { origin: string; path: string }) =>
    `${origin}${path} lists them. Retry one with \`inquest reingest --execution ID\`.`,
  serverStarting: 'the server is starting',
  runAgain: 'Run this again in a minute.',
  checkLogNothingLost: "Check the server's log. No data is lost: imports and hooks wait.",
  databaseBusy: 'answers, but every connection to it is in use',
  runAgainRequestsWait: 'Run this again in a minute. Requests wait for a connection meanwhile.',
  oldSchema: 'schema is from an older version',
  startToMigrate: 'Start this version of the server once to migrate it.',
  diskFull: 'cannot write: the disk is full',
  freeDisk: 'Free disk space. No data is lost: imports and hooks wait.',
  checkLog: "Check the server's log.",
  spoolDropped: ({ what, until }: { what: string; until: string }) =>
    `the spool was full and dropped ${what}, the last ${until}`,
  startOrCorrectUrl: ({ countFile, logFile }: { countFile: string; logFile: string }) =>
    `Start the server, or correct INQUEST_URL. Delete ${countFile} to reset this count; ${logFile} lists each drop.`,
  localSpool: 'spool of the server here',
  waitsForOther: ({ waits, name }: { waits: readonly string[]; name: null | string }) =>
    `${waits.join(' and ')} waiting for ${name === null ? 'the server on this machine' : 'that server'}, which is not the current one`,
  sendWithoutUrl: 'Run `inquest doctor` without INQUEST_URL to send them.',
  sendWithUrl: ({ url }: { url: string }) =>
    `Run \`inquest doctor\` with INQUEST_URL set to ${url} to send them.`,
  sentOnceUp: 'They will be sent once the server answers.',
  sentOnceKeyAccepted: 'The server rejected the key. They will be sent once it accepts one.',
  framesWait: ({
    went,
    waiting,
    bytes,
    oldest,
  }: {
    went: string
    waiting: number
    bytes: number
    oldest: string
  }) =>
    `${went}${countOf(waiting, 'frame')} (${formatBytes(bytes)}) ${waits(waiting)}, the oldest since ${oldest}`,
  framesRejected: ({ refused, folder }: { refused: number; folder: string }) =>
    `${countOf(refused, 'frame')} rejected by the server, in ${folder}`,
  inspectRejected: 'Inspect them, and delete those you don’t need.',
  oddFrames: ({ frames, since, reasons }: { frames: number; since: string; reasons: readonly string[] }) =>
    `${countOf(frames, 'frame')} since ${since} that are not valid frames, or that Agent Receipts would have dropped. All were kept: ${reasons.join('; ')}`,
  oddFramesKept: ({ countFile }: { countFile: string }) =>
    `Frames with a session are in its execution, marked odd. The others are under Settings > Sources. Delete ${countFile} to reset this count.`,
  recordsWait: ({ went, waiting, folder }: { went: string; waiting: number; folder: string }) =>
    `${went}${countOf(waiting, 'record')} ${waits(waiting)} in ${folder}`,
  recordsRejected: ({ refused, folder }: { refused: number; folder: string }) =>
    `${countOf(refused, 'record')} rejected by the server, in ${folder}`,
  projectsUnreadable: ({ projects, code }: { projects: string; code: undefined | string }) =>
    `${projects} could not be read (${code})`,
  runImport: 'Run `inquest import --claude` to import them.',
  noHistory: ({ projects }: { projects: string }) => `no agent history found in ${projects}`,
  historyElsewhere:
    'If it is elsewhere, set CLAUDE_CONFIG_DIR to the folder that contains `projects`, or run `inquest import PATH`.',
  settingsUnreadable: ({ file, code }: { file: string; code: string }) =>
    `${file} could not be read (${code})`,
  fixFile: 'Fix the file. The agent can’t read it either.',
  installHook: ({ flag }: { flag: string }) => `\`inquest hook --install${flag}\` installs the hook.`,
}
