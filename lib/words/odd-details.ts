import type {
  OddDetail,
  OddDetails,
  ReceiptLoss,
  ReceiptLosses,
  WrongFieldProblem,
} from '../model/messages/odd-details'
import { capText } from '../text/cap-text'
import { textOf, type Catalogue } from './catalogue'

const DETAIL_CHARS_MAX = 500

const PROBLEMS: Record<WrongFieldProblem, string> = {
  missing: 'is missing',
  not_text: 'is not a string',
  not_number: 'is not a number',
  not_flag: 'is not true or false',
  not_object: 'is not an object',
  not_list: 'is not a list',
  not_text_or_list: 'is neither a string nor a list',
  not_time: 'is not a time',
  not_count: 'is not a count',
  not_task: 'is not a task with an id',
}

/** Why Agent Receipts would leave no receipt for a frame of a hook. */
const RECEIPT_LOSS_WORDS: Catalogue<ReceiptLosses> = {
  frame_too_long: ({ bytes }) => `the frame is longer than ${bytes} bytes`,
  payload_too_long: ({ bytes }) => `input and output are longer than ${bytes} bytes`,
  field_too_long: ({ field, bytes }) => `${field} is longer than ${bytes} bytes`,
  number_too_large: ({ field }) => `${field} contains a number too large for a double`,
  agent_id_not_plain: () => 'agent_id contains a slash or a NUL',
  unknown_event: () => 'it names no event known to the hook',
  empty: () => 'nothing was sent',
  not_a_frame: () => 'a field has the wrong type, or it is not a JSON object',
  no_tool_name: () => 'tool_name is missing',
}
export const receiptLossText = (loss: ReceiptLoss): string => textOf(RECEIPT_LOSS_WORDS, loss)

/** What exactly is odd about a record. */
export const ODD_DETAIL_WORDS: Catalogue<OddDetails> = {
  wrong_fields: ({ fields }) => fields.map(({ path, problem }) => `${path} ${PROBLEMS[problem]}`).join('; '),
  unknown_type: ({ type }) => `unknown type “${type}”`,
  no_type: () => 'the record has no type',
  no_session: () => 'no record before this one names a session',
  not_an_object: ({ is }) => `the record is ${is === 'null' ? is : `a ${is}`}`,
  records_lost: ({ code }) => `the producer lost records of this session${code === null ? '' : ` (${code})`}`,
  records_dropped: ({ frames, records, bytes, since, until }) =>
    `The spool of the sender was full: ${frames} hook frames and ${records} records (${bytes} bytes) were dropped between ${since ?? 'an unknown time'} and ${until ?? 'an unknown time'}`,
  receipt_lost: ({ loss }) => `Agent Receipts leaves no receipt for it: ${receiptLossText(loss)}`,
  unchecked_receipt: ({ why }) => `the receipt cannot be checked (${why})`,
  other_run: ({ run }) => `/runId names a different run, ${run}`,
  no_reply: () => 'a capture must contain a reply, or a result with a context',
  file_not_json: ({ file }) => `${file}: not a JSON object`,
  file_lines_not_json: ({ file }) => `${file}: its lines are not JSON objects`,
  torn_line: () => 'the input ends inside this line',
  not_readable: ({ error }) => `the record could not be read: ${error}`,
  unstorable_id: ({ field }) =>
    `${field} contains NUL or half of a surrogate pair, which the database cannot store; a replacement character was stored`,
  binary: ({ bytes }) => `${bytes} bytes that are not text`,
  nul_bytes: () => 'the line contains NUL bytes and is not JSON',
  not_utf8: () => 'the line is not valid UTF-8',
  line_too_long: ({ bytes, max }) => `${bytes} bytes; at most ${max} are read`,
  too_deep: ({ max }) => `nested more than ${max} levels deep`,
  too_many_values: ({ max }) => `more than ${max} JSON values`,
  too_many_events: ({ what, count, max }) =>
    `${count} ${what === 'blocks' ? 'content blocks' : what}; at most ${max} are read of one record`,
  not_json: ({ error }) => error,
  empty_body: () => 'the body is empty',
  bytes_missing: ({ from, to }) =>
    to === null
      ? `already stored; waiting for the bytes from ${from}`
      : `stored; waiting for the bytes from ${from} to ${to}`,
  refused: ({ error }) => error,
}

export const oddDetailText = (detail: OddDetail): string =>
  capText(textOf(ODD_DETAIL_WORDS, detail), DETAIL_CHARS_MAX)
