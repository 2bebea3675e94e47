import { open } from 'node:fs/promises'
import { verifyText } from '@/lib/words/cli/verify'

/** More than any key or log of checkpoints that a person names by its file. */
const bytesMax = 64 * 1024 * 1024

/**
 * The text of a file that goes along on the command line; a pipe is read to its end, too.
 *
 * @throws what the file system says, and `EFBIG` above 64 MiB
 */
export async function readSmallFile(path: string): Promise<string> {
  const handle = await open(path, 'r')
  try {
    const pieces: Buffer[] = []
    let length = 0
    for (;;) {
      const piece = Buffer.alloc(64 * 1024)
      const { bytesRead } = await handle.read(piece, 0, piece.length, null)
      if (bytesRead === 0) return Buffer.concat(pieces).toString('utf8')
      length += bytesRead
      if (length > bytesMax) throw Object.assign(new Error(verifyText.tooLarge), { code: 'EFBIG' })
      pieces.push(piece.subarray(0, bytesRead))
    }
  } finally {
    await handle.close()
  }
}
