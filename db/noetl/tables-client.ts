import postgres from 'postgres'
import type { Sql } from '../client'
import { allowedLookup } from '../fetch/allowed-lookup'
import { problemOf, TablesError } from './tables-problem'
import { tablesSockets } from './tables-socket'

/** A connection to the database of a NoETL server. It reads, in transactions of its own, and can do nothing else. */
export interface Tables {
  /** @throws TablesError, and whatever `work` throws that is none of the database's errors is one too */
  read<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export interface TablesOptions {
  /** Ends what is being asked: the answer is then *cancelled*. */
  signal?: AbortSignal
  statementSeconds?: number
  lockSeconds?: number
  /** Private networks and this machine may be asked. */
  allowPrivate?: boolean
}

const CONNECTS_MAX = 4

/**
 * Opens a connection to a given address; nothing is connected before the first read. Of what the address asks for beside server, account and
 * database only whether it is to be encrypted counts, and nothing is taken from our own environment.
 *
 * @throws TablesError when it is no address of a database
 */
export function openTables(
  address: string,
  { signal, statementSeconds = 30, lockSeconds = 2, allowPrivate = false }: TablesOptions = {},
): Tables {
  const { url, username, password, sslmode } = readAddress(address)
  const lookup = allowedLookup(allowPrivate)
  const over = new AbortController()
  const connect = tablesSockets({ sslmode, lookup, signal: over.signal })
  let tried = 0
  /** The driver writes to a connection that is gone, and that ends the process: after a loss nothing more is asked in its transaction. */
  let lost = false
  const sql = postgres(url, {
    username,
    // As a function: an empty one would be looked for in the environment.
    password: () => password,
    // The socket comes encrypted, or need not be.
    ssl: false,
    max: 1,
    idle_timeout: 20,
    connect_timeout: 10,
    // Behind a pooler there may be nobody who remembers a statement, and nothing is asked often.
    prepare: false,
    fetch_types: false,
    ...{
      socket: async (options: Parameters<typeof connect>[0]) => {
        // Whoever hangs up before a word is asked again at once, for ever.
        if (++tried > CONNECTS_MAX) stop()
        try {
          return (await connect(options)).once('close', () => (lost = true))
        } catch (error) {
          // The driver takes a connection that was never there for one that is being made.
          void sql.end({ timeout: 0 })
          throw error
        }
      },
    },
    onnotice: () => {},
    connection: {
      application_name: 'inquest',
      TimeZone: 'UTC',
      default_transaction_read_only: true,
      statement_timeout: statementSeconds * 1000,
      lock_timeout: lockSeconds * 1000,
      idle_in_transaction_session_timeout: statementSeconds * 1000,
    },
  })
  // A query that is under way is not waited for.
  const stop = (): void => {
    over.abort(new TablesError(signal?.aborted ? 'cancelled' : 'unreachable'))
    void sql.end({ timeout: 0 })
  }
  signal?.addEventListener('abort', stop, { once: true })
  const whileThere = (sql: Sql): Sql =>
    new Proxy(sql, {
      apply: (target, _, args: Parameters<Sql>) => (lost ? refuse() : target(...args)),
      get: (target, key) => (lost ? refuse() : (Reflect.get(target, key) as unknown)),
    })
  return {
    async read(work) {
      if (signal?.aborted) throw new TablesError('cancelled')
      try {
        // Each socket asks again for what a name stands for; an address it would connect to unasked.
        await new Promise<void>((resolve, reject) =>
          lookup(new URL(url).hostname.replace(/^\[|\]$/g, ''), {}, (error) =>
            error ? reject(error) : resolve(),
          ),
        )
        return (await sql.begin('isolation level repeatable read read only', (tx) => {
          tried = 0
          lost = false
          const result = work(whileThere(tx as unknown as Sql))
          // The loss itself ends the transaction; if it heard of a failure, the driver would roll back a lost connection.
          return new Promise((resolve, reject) =>
            result.then(
              (value) => lost || resolve(value),
              (error: unknown) => lost || reject(error as Error),
            ),
          )
        })) as Awaited<ReturnType<typeof work>>
      } catch (error) {
        throw new TablesError(problemOf(error, signal?.aborted ?? false), { cause: error })
      }
    },
    async close() {
      signal?.removeEventListener('abort', stop)
      await sql.end({ timeout: 2 })
    },
  }
}

function refuse(): never {
  throw new TablesError('unreachable')
}

function readAddress(address: string): {
  url: string
  username: string
  password: string
  sslmode: string | null
} {
  const url = URL.canParse(address) ? new URL(address) : null
  if (
    url === null ||
    !/^postgres(?:ql)?:$/.test(url.protocol) ||
    url.hostname === '' ||
    url.username === '' ||
    url.pathname.length < 2
  )
    throw new TablesError('unreachable')
  const sslmode = url.searchParams.get('sslmode') || null
  const [username, password] = [decoded(url.username), decoded(url.password)]
  url.username = url.password = url.search = url.hash = ''
  return { url: url.href, username, password, sslmode }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new TablesError('unreachable')
  }
}
