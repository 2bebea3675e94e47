import type { Readable } from 'node:stream'

/**
 * Reads standard input to its end, or for `patienceMs`, whichever comes first: an agent that keeps the pipe open must
 * not wait for its hook. (Not by `fs.read`: a read that blocks keeps the process from ending.)
 */
export function readStdin(patienceMs: number, stdin: Readable = process.stdin): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const finish = (): void => {
      clearTimeout(timer)
      resolve(Buffer.concat(chunks))
      stdin.destroy()
    }
    const timer = setTimeout(finish, patienceMs)
    stdin.on('data', (chunk: Buffer) => chunks.push(chunk))
    stdin.once('end', finish)
    stdin.once('error', finish)
  })
}

/**
 * One frame, one line, with the time it came: frames carry no time of their own, and two that say the same are two. Line ends
 * between the tokens of a JSON document become blanks, which changes no value; every other byte stays. What is not a
 * JSON object is kept as it is; the server counts it as odd.
 */
export function toFrame(bytes: Buffer, now: Date): Buffer {
  let end = bytes.length
  while (end > 0 && isBlank(bytes[end - 1]!)) end -= 1
  let start = 0
  while (start < end && isBlank(bytes[start]!)) start += 1
  const frame = bytes.subarray(start, end)
  if (frame[0] !== 0x7b) return frame
  let document: Record<string, unknown>
  try {
    document = JSON.parse(frame.toString('utf8'))
  } catch {
    return frame
  }
  const flat = Buffer.from(frame)
  for (let at = flat.indexOf(0x0a); at !== -1; at = flat.indexOf(0x0a, at + 1)) flat[at] = 0x20
  for (let at = flat.indexOf(0x0d); at !== -1; at = flat.indexOf(0x0d, at + 1)) flat[at] = 0x20
  if (Object.hasOwn(document, 'timestamp')) return flat
  const comma = Object.keys(document).length === 0 ? '' : ','
  return Buffer.concat([flat.subarray(0, -1), Buffer.from(`${comma}"timestamp":"${now.toISOString()}"}`)])
}

const isBlank = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
