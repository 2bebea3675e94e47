/** Where a verb writes: `line` is for people, `record` for programs; with `--json` only records reach standard output. */
export interface Output {
  json: boolean
  /** For people, on standard output. */
  line(text: string): void
  /** For people, on standard error. */
  note(text: string): void
  /** The result, or one happening of a long run, as one line of JSON. */
  record(value: unknown): void
}

const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** File names and answers are not trusted: control and bidi marks are made visible before they reach a terminal. */
export const visible = (text: string): string =>
  text.replace(controls, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`)

export function createOutput(
  json: boolean,
  out: NodeJS.WritableStream = process.stdout,
  err: NodeJS.WritableStream = process.stderr,
): Output {
  return {
    json,
    line: (text) => void (json || out.write(`${visible(text)}\n`)),
    note: (text) => void err.write(`${visible(text)}\n`),
    // `##[` begins a command for the runner of GitHub, wherever it is in a line of the log.
    record: (value) => void (json && out.write(`${JSON.stringify(value).replaceAll('##[', '\\u0023#[')}\n`)),
  }
}
