/** How long output gathers before it is taken again, and how close chunks follow each other where that is worth it. */
const REST_MS = 0.3

/** A chunk that is larger has gathered by itself. */
const SMALL_BYTES = 32 * 1024

const nobody = new Int32Array(new SharedArrayBuffer(4))

/** A timer of the event loop would wait three times as long, and the command stand still before its end. */
const block = (ms: number): void => void Atomics.wait(nobody, 0, 0, ms)

/**
 * A command that prints line after line wakes its reader for each of them, and the waking costs both more than the bytes do: 100 MB came in
 * 16,000 chunks. The reader that rests a moment between small chunks finds more in the next one. Output that comes now and then is passed on
 * at once.
 *
 * @returns to be called when a chunk of so many bytes was dealt with; blocks for 0.3 ms or not at all
 */
export function makeRest(now = () => performance.now(), wait = block): (bytes: number) => void {
  let last = -Infinity
  return (bytes) => {
    if (bytes < SMALL_BYTES && now() - last < REST_MS) wait(REST_MS)
    last = now()
  }
}
