import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { concludeBodies, type Body } from './ingest'
import { hasShared, sharedFiles, sharedFolder, type Source } from './source'

const bodyOf = (path: string): Body => ({
  name: path,
  fileName: basename(path),
  bytes: new Uint8Array(readFileSync(join(sharedFolder, path))),
})

const single = (path: string, checks: boolean): Source => ({
  name: path,
  conclude: (db) => concludeBodies(db, path, [bodyOf(path)], { checks }),
})

/** Several files of one place taken in together: what they say of each other shows only then. */
const together = (name: string, paths: readonly string[]): Source => ({
  name,
  conclude: (db) => concludeBodies(db, name, paths.map(bodyOf), { checks: true }),
})

const TRANSCRIPTS = ['samples/claude-code', 'samples/claude-code-more']

/** Recorded sessions, the bulk of the bytes. */
export const transcriptSources: readonly Source[] = hasShared
  ? TRANSCRIPTS.flatMap(sharedFiles).map((path) => single(path, false))
  : []

const noetl = hasShared ? sharedFiles('samples/noetl') : []
const constructed = noetl.filter((path) => path.includes('/constructed/'))

/** All other samples. */
export const otherSampleSources: readonly Source[] = hasShared
  ? [
      ...sharedFiles('samples')
        .filter(
          (path) => !TRANSCRIPTS.some((folder) => path.startsWith(`${folder}/`)) && !noetl.includes(path),
        )
        .map((path) => single(path, false)),
      ...noetl.map((path) => single(path, true)),
      together('samples/noetl/constructed-together', constructed),
    ]
  : []
