import type { FileHandle } from 'node:fs/promises'

/** Up to `length` bytes of a file; fewer where it ends before. */
export async function readAt(handle: FileHandle, start: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled, start + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return bytes.subarray(0, filled)
}
