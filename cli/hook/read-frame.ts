import { read } from 'node:fs'

/**
 * Reads standard input to its end, or for `patienceMs`, whichever comes first: an agent that keeps the pipe open must
 * not wait for its hook. Plain reads of the descriptor spare the cost of loading streams.
 */
export function readStdin(patienceMs: number, fd = 0): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let done = false
    const finish = (): void => {
      if (done) return
      done = true
      clearTimeout(timer)
      resolve(Buffer.concat(chunks))
    }
    const timer = setTimeout(finish, patienceMs)
    const step = (): void => {
      const chunk = Buffer.allocUnsafe(64 * 1024)
      read(fd, chunk, 0, chunk.length, null, (error, bytes) => {
        if (done) return
        if (error?.code === 'EAGAIN') setTimeout(step, 5)
        else if (error || bytes === 0) finish()
        else {
          chunks.push(chunk.subarray(0, bytes))
          step()
        }
      })
    }
    step()
  })
}

/**
 * One frame, one line: line ends between the tokens of a JSON document become blanks, which changes no value.
 * What is not JSON is kept as it is; the server counts it as odd.
 */
export function asOneLine(bytes: Buffer): Buffer {
  let end = bytes.length
  while (end > 0 && isBlank(bytes[end - 1]!)) end -= 1
  let start = 0
  while (start < end && isBlank(bytes[start]!)) start += 1
  const frame = bytes.subarray(start, end)
  if (frame[0] !== 0x7b || !frame.includes(0x0a)) return frame
  try {
    JSON.parse(frame.toString('utf8'))
  } catch {
    return frame
  }
  const flat = Buffer.from(frame)
  for (let at = 0; at < flat.length; at += 1) if (flat[at] === 0x0a || flat[at] === 0x0d) flat[at] = 0x20
  return flat
}

const isBlank = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
