import { createHash } from 'node:crypto'
import { Zip, ZipDeflate } from 'fflate'

/** A file of the archive, piece by piece. */
export interface BundlePart {
  name: string
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

const MTIME = new Date('1980-01-01T00:00:00Z')
const LEVEL = 6

/**
 * Everything that a reviewer needs to repeat each check without this server, as one archive with the digests of its files: equal parts make equal
 * bytes. It is made as it is sent, and a part that fails breaks it off.
 */
export async function* fixBundle(parts: readonly BundlePart[]): AsyncGenerator<Uint8Array> {
  const made: Uint8Array[] = []
  const zip = new Zip((error, chunk) => {
    if (error) throw error
    if (chunk.length > 0) made.push(chunk)
  })
  const sums: string[] = []
  async function* add({ name, pieces }: BundlePart): AsyncGenerator<Uint8Array> {
    const file = new ZipDeflate(name, { level: LEVEL })
    file.mtime = MTIME
    zip.add(file)
    const hash = createHash('sha256')
    for await (const piece of pieces) {
      await inTurn(() => {
        hash.update(piece)
        file.push(piece, false)
      })
      yield* made.splice(0)
    }
    file.push(new Uint8Array(0), true)
    yield* made.splice(0)
    sums.push(`${hash.digest('hex')}  ${name}\n`)
  }
  for (const part of parts) yield* add(part)
  yield* add({ name: 'SHA256SUMS', pieces: [new TextEncoder().encode(sums.join(''))] })
  zip.end()
  yield* made.splice(0)
}

let last: Promise<void> = Promise.resolve()

/** Compresses one piece in each turn of the event loop, whichever bundle it is of: many at once would leave no time for anybody else. */
async function inTurn(compress: () => void): Promise<void> {
  const before = last
  let end = (): void => undefined
  last = new Promise((resolve) => (end = resolve))
  await before
  try {
    compress()
  } finally {
    setImmediate(end)
  }
}
