import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Readable } from 'node:stream'
import { links } from '@/lib/links'
import { countOf } from '@/lib/text/amounts'
import { CliFailure } from '../exit-codes'
import { findExecution } from '../find-execution'
import { askServer, createClient } from '../http'
import type { Output } from '../output'
import { readSettings, type Environment } from '../settings'
import type { FixItem } from '@/lib/model/fix'
import { fixText } from '@/lib/words/cli/fix'

export interface FixProposeFlags {
  execution: string
  task?: string
  title?: string
  supersedes?: string
  transcript?: string
  proposal?: string
}

/** Sends a patch for an execution, with what is known of it. */
export async function runFixPropose(
  file: string,
  flags: FixProposeFlags,
  io: { env: Environment; stdin: Readable },
  output: Output,
): Promise<void> {
  const patch = file === '-' ? await readAll(io.stdin) : readNamed(file)
  const fields = flags.proposal === undefined ? {} : readJson(flags.proposal)
  const { task, title, supersedes } = flags
  const proposal = {
    ...(file === '-' ? {} : { fileName: basename(file) }),
    ...fields,
    ...(task === undefined ? {} : { task }),
    ...(title === undefined ? {} : { title }),
    ...(supersedes === undefined ? {} : { supersedes }),
  }
  const form = new FormData()
  form.set('patch', new Blob([patch as Uint8Array<ArrayBuffer>]), 'patch')
  form.set('proposal', JSON.stringify(proposal))
  if (flags.transcript !== undefined)
    form.set('transcript', new Blob([readNamed(flags.transcript) as Uint8Array<ArrayBuffer>]), 'transcript')
  const client = createClient(readSettings(io.env))
  try {
    const id = await findExecution(client, flags.execution)
    const body = new Response(form)
    const { fix, isNew } = await askServer<{ fix: FixItem; isNew: boolean }>(client, {
      method: 'POST',
      path: links.api.executionFixes(id),
      headers: { 'content-type': body.headers.get('content-type')! },
      body: new Uint8Array(await body.arrayBuffer()),
      idleMs: 120_000,
    })
    const page = new URL(fix.url, client.settings.url).href
    output.record({ id: fix.id, isNew, sha256: fix.sha256, state: fix.state, page })
    const { verdict, problem, files, additions, deletions, blocking } = fix.reading
    output.line(`${isNew ? 'proposed' : `proposed before, and ${fix.state.replace('_', ' ')}`}: ${page}`)
    output.line(
      `  ${verdict === 'ok' ? `${countOf(files, 'file')}, +${additions} -${deletions}` : fixText.unreadableFile({ problem })}, SHA-256 ${fix.sha256}`,
    )
    if (blocking.length > 0) output.line(`  can't be approved: ${blocking.join(', ')}`)
  } finally {
    client.close()
  }
}

function readNamed(path: string): Uint8Array {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new CliFailure('usage', fixText.unreadable({ path, reason: (error as Error).message }), {
      cause: error,
    })
  }
}

function readJson(path: string): object {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(readNamed(path)))
  } catch (error) {
    if (error instanceof CliFailure) throw error
    throw new CliFailure('usage', `${path} is not JSON: ${(error as Error).message}.`, { cause: error })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new CliFailure('usage', `${path} is not a JSON object.`)
  return value
}

async function readAll(stream: Readable): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
