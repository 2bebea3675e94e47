import { exitText } from '@/lib/words/cli/exit-codes'
/** Exit statuses of every verb; `docs/cli.md` says the same for readers and a test pairs the two. */
export const EXIT_CODES = {
  fine: { code: 0, means: 'Done.' },
  partly: {
    code: 1,
    means: exitText.partly,
  },
  usage: { code: 2, means: 'Invalid command line.' },
  unreachable: { code: 3, means: exitText.unreachable },
  refused: { code: 4, means: exitText.refused },
  failed: { code: 5, means: exitText.failed },
  interrupted: {
    code: 130,
    means: exitText.interrupted,
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
