import type { PatchAbout } from '@/db/queries/patch-bytes'
import { listFixComments, readFix } from '@/db/queries/fix'
import { eachFixFile, readProvenance } from '@/db/queries/fix-provenance'
import type { FixProvenance } from '@/lib/api/fix-schemas'
import { type Access, actorOf, projectIds } from './access'
import { publicUrl } from './config'
import { db } from './db'
import { fixReader } from './fix-access'
import { patchChunks } from './patch-response'
import { Refusal } from './respond'

const encoder = new TextEncoder()

/**
 * The provenance of a fix as JSON, piece by piece: neither the patch nor its base64 is ever held as a whole. What can be refused is refused before the first piece.
 *
 * @param withBytes false: `base64` is null
 * @throws Refusal `not-found`
 */
export async function provenanceJson(
  access: Access,
  about: PatchAbout & { id: string },
  withBytes: boolean,
): Promise<AsyncGenerator<Uint8Array>> {
  const fix = await readFix(db(), { projectIds: projectIds(access), id: about.id, reader: fixReader(access) })
  if (fix === null) throw new Refusal('not-found')
  const [links, comments] = await Promise.all([
    readProvenance(db(), about.projectId, fix),
    listFixComments(db(), about.projectId, about.id, actorOf(access)),
  ])
  const { id, state, version, sha256, size } = fix
  const head: Omit<FixProvenance, 'files' | 'patch'> = {
    format: 'inquest-provenance-1',
    server: publicUrl(),
    fix: { id, url: publicUrl() + fix.url, state, version, sha256 },
    links,
    comments: comments.map(({ isMine: _mine, ...comment }) => comment),
  }
  return pieces(head, about, { sha256, size }, withBytes)
}

async function* pieces(
  head: object,
  about: PatchAbout & { id: string },
  patch: { sha256: string; size: number },
  withBytes: boolean,
): AsyncGenerator<Uint8Array> {
  yield encoder.encode(`${JSON.stringify(head, null, 1).slice(0, -2)},\n "files": [`)
  let between = '\n  '
  for await (const files of eachFixFile(db(), about.projectId, about.id)) {
    yield encoder.encode(between + files.map((file) => JSON.stringify(file)).join(',\n  '))
    between = ',\n  '
  }
  yield encoder.encode(
    `\n ],\n "patch": ${JSON.stringify(patch).slice(0, -1)},"base64":${withBytes ? '"' : 'null'}`,
  )
  if (withBytes)
    for await (const chunk of patchChunks(about, 0, patch.size, true))
      yield encoder.encode(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString('base64'))
  yield encoder.encode(`${withBytes ? '"' : ''}}\n}\n`)
}
