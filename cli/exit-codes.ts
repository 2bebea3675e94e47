/** Exit statuses of every verb; `docs/cli.md` says the same for readers and a test pairs the two. */
export const EXIT_CODES = {
  fine: { code: 0, means: 'Done.' },
  partly: {
    code: 1,
    means:
      'Partly done: some items failed, such as files that could not be imported. The output names each one.',
  },
  usage: { code: 2, means: 'Invalid command line.' },
  unreachable: { code: 3, means: 'No server is configured, or it did not answer.' },
  refused: { code: 4, means: 'The server rejected the key or the role.' },
  failed: { code: 5, means: 'The server returned an error, or Inquest failed.' },
  interrupted: {
    code: 130,
    means: 'Stopped by Ctrl-C or a signal. Run it again to continue where it stopped.',
  },
} as const

export type ExitName = keyof typeof EXIT_CODES

/** A failure that ends a verb with one line of text and a documented status. */
export class CliFailure extends Error {
  /** What the document with the error says besides (`--json`). */
  readonly document: object

  constructor(
    readonly exit: ExitName,
    message: string,
    options: ErrorOptions & { document?: object } = {},
  ) {
    super(message, options)
    this.document = options.document ?? {}
    this.name = 'CliFailure'
  }
}
