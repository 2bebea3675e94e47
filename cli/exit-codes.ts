/** Exit statuses of every verb; `docs/cli.md` says the same for readers and a test pairs the two. */
export const EXIT_CODES = {
  fine: { code: 0, means: 'Everything asked for was done.' },
  partly: {
    code: 1,
    means: 'Some of it could not be done, such as files that could not be taken; the output names each one.',
  },
  usage: { code: 2, means: 'The command line could not be read.' },
  unreachable: { code: 3, means: 'No server is known, or it did not answer.' },
  refused: { code: 4, means: 'The server refused the key or the role.' },
  failed: { code: 5, means: 'The server answered with a problem, or something broke on our side.' },
  interrupted: {
    code: 130,
    means:
      'Stopped by Ctrl-C or a signal; what was sent stays, and running it again takes up where it ended.',
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
