/** What may be written of an error: see `describeError`. */
export interface ErrorFacts {
  type: string
  message: string
  stack?: string
  cause?: ErrorFacts
  errors?: ErrorFacts[]
  [field: string]: unknown
}

/** Fields that name a place or a kind, never a value. Drivers hang statements and their parameters on errors as well: these stay out. */
const FIELDS = [
  'code',
  'severity',
  'schema_name',
  'table_name',
  'column_name',
  'constraint_name',
  'routine',
  'errno',
  'syscall',
  'address',
  'port',
  'status',
]
const DEPTH_MAX = 4
const ERRORS_MAX = 4
/** How drizzle begins the message that continues with the statement and its parameters. */
const FAILED_QUERY = 'Failed query:'
const FRAME = /^ {4}at .*$/gm

/** A text that may be an error's: without the statement and the parameters that drizzle writes into it. */
export function withoutParameters(text: string): string {
  const at = text.indexOf(FAILED_QUERY)
  return at === -1 ? text : text.slice(0, at) + FAILED_QUERY.slice(0, -1)
}

/** PostgreSQL quotes the value that it could not read (class 22): `invalid input syntax for type uuid: "…"`. */
const withoutValue = (message: string, code: unknown): string =>
  typeof code === 'string' && /^22\w{3}$/.test(code)
    ? message.replace(/:? ?"[\s\S]*"|: [\s\S]*/, ': "…"')
    : message

/**
 * An error as it may be in a log: its kind, its message without values, and where it was thrown. Everything is left out that is not
 * on the list, because parameters of statements are session tokens, digests of keys and what people sent.
 *
 * @param error whatever was thrown
 */
export function describeError(error: unknown, depth = 0): ErrorFacts {
  if (typeof error !== 'object' || error === null)
    return { type: typeof error, message: withoutParameters(String(error)) }
  const given = error as Record<string, unknown> & Partial<Error>
  const raw = typeof given.message === 'string' ? given.message : ''
  const facts: ErrorFacts = {
    type: typeof given.name === 'string' ? given.name : 'Error',
    message: withoutValue(withoutParameters(raw), given.code),
  }
  for (const field of FIELDS) {
    const value = given[field]
    if (typeof value === 'string' || typeof value === 'number') facts[field] = value
  }
  const stack = framesOf(given.stack, raw)
  if (stack !== '') facts.stack = stack
  if (depth >= DEPTH_MAX) return facts
  if (given.cause != null) facts.cause = describeError(given.cause, depth + 1)
  if (Array.isArray(given.errors))
    facts.errors = given.errors.slice(0, ERRORS_MAX).map((one) => describeError(one, depth + 1))
  return facts
}

/** The lines of a stack that name places. It begins with the message, whose own lines must not pass for them. */
function framesOf(stack: unknown, message: string): string {
  if (typeof stack !== 'string') return ''
  const at = message === '' ? -1 : stack.indexOf(message)
  const rest = at === -1 ? stack : stack.slice(at + message.length)
  return (rest.match(FRAME) ?? []).join('\n')
}

/** The same on one line: `DrizzleQueryError: Failed query (PostgresError 23505: …)`. */
export function errorLine(error: unknown): string {
  const { type, message, code, cause } = describeError(error)
  const own = `${type}${code === undefined ? '' : ` ${String(code)}`}: ${message}`
  if (cause === undefined) return own
  return `${own} (${cause.type}${cause.code === undefined ? '' : ` ${String(cause.code)}`}: ${cause.message})`
}

/** The same with the places that it was thrown at, for a person who has to find the fault. */
export function errorText(error: unknown): string {
  const { stack, cause } = describeError(error)
  return [errorLine(error), stack, cause?.stack && `caused at\n${cause.stack}`].filter(Boolean).join('\n')
}

/** What a library hands to a console or a logger: errors as texts, texts without parameters, anything else as it is. */
const safeArgument = (value: unknown): unknown =>
  value instanceof Error ? errorText(value) : typeof value === 'string' ? withoutParameters(value) : value

/**
 * Makes a console print errors without their parameters: the framework and the library for accounts print whatever is thrown.
 *
 * @param isLogged errors that were logged when they were thrown, and are not printed again
 */
export function guardConsole(
  target: Pick<Console, 'error' | 'warn'>,
  isLogged: (error: Error) => boolean = () => false,
): void {
  const { error } = target
  target.error = target.warn = (...given: unknown[]) => {
    if (given.some((one) => one instanceof Error && isLogged(one))) return
    error.apply(target, given.map(safeArgument))
  }
}
