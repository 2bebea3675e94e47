import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import postgres from 'postgres'

/** The statements that the product's API sends, as `bench/load/record-reads.ts` wrote them down. A build has none. */
const { key, list, executions } = process.env.BENCH_READS
  ? JSON.parse(readFileSync(process.env.BENCH_READS, 'utf8'))
  : { list: [], executions: {} }

const sql = postgres(process.env.DATABASE_URL, {
  // As many as the product has.
  max: 8,
  onnotice: () => {},
  types: { time: { to: 1184, from: [1184], serialize: String, parse: String } },
})

const run = ({ text, params }) => sql.unsafe(text, params, { prepare: true })

/** The product's key check: the statement is the same, and the digest is that of the key which was sent. */
async function holdsKey(request) {
  const sent = /^Bearer (\S+)$/.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
  const digest = createHash('sha256').update(sent).digest('base64url')
  const rows = await run({ text: key.text, params: key.params.with(key.digestAt, digest) })
  return rows.length > 0
}

async function answer(request, statements) {
  if (!(await holdsKey(request))) return new Response(null, { status: 401 })
  if (!statements) return new Response(null, { status: 404 })
  return Response.json(await Promise.all(statements.map(run)))
}

export const answerList = (request) => answer(request, list)

export const answerExecution = (request, id) => answer(request, executions[id])
