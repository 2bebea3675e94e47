import { limits } from '../../limits'
import { INGEST_KINDS } from '../../model/ingest-kinds'

/** Why a request body was not accepted. */
export const bodyText = {
  serverFull:
    'The server is handling as much data as its memory allows. Nothing from this request was stored.',

  bodyEndedEarly: ({ received }: { received: number }) =>
    `The request body ended early, after ${received} bytes.`,
  bodyTimedOut: () => `The request body was not complete within ${limits.smallBodySeconds} s.`,
  bodyTooSlow: () =>
    `Less than ${limits.bodyProgressBytes / 1024} KiB of it arrived in ${limits.bodyProgressSeconds} s.`,

  unknownEncoding: ({ one }: { one: string }) =>
    `Content-Encoding ${one.slice(0, 40)} is not supported. Use gzip, deflate or br.`,
  bodyTooLarge: ({ mib }: { mib: string }) =>
    `The request body is larger than ${mib}; send it in parts (docs/api.md#large-files).`,
  decodedBodyTooLarge: ({ mib }: { mib: string }) => `The decoded request body is larger than ${mib}.`,
  ratioExceeded: ({ received, undo }: { received: number; undo: readonly string[] }) =>
    `${received} bytes of ${undo.join(', ')} grow to more than ${limits.decompressionRatioMax} times their size.`,
  notDecompressed: ({ coding, message }: { coding: string; message: string }) =>
    `The ${coding} stream could not be decompressed: ${message}.`,
  bodyNotJson: ({ message }: { message: string }) => `The body is not JSON: ${message}.`,

  noConnectionInTime: () => `No database connection was available within ${limits.connectionWaitSeconds} s.`,
  queryCancelled: () => `A query ran for ${limits.readStatementSeconds} s and was cancelled.`,
  nothingStored: 'Nothing from this request was stored.',
  interrupted:
    'The request was interrupted and may not have been stored. Send it again: nothing is stored twice.',
  nulInAddress: 'The address contains a NUL character (%00).',

  firstInProgress: 'The first request with this Idempotency-Key is still in progress.',

  controlCharacter: ({ name, code }: { name: string; code: string }) =>
    `${name}: contains the control character U+${code}; leave it out`,
  moreHeader: 'Inquest-More: 1 when more of the stream follows at once',

  unknownKind: ({ name }: { name: string }) =>
    `Unknown kind "${name.slice(0, 40)}"; there are auto, ${INGEST_KINDS.join(', ')}.`,
  notSupported: ({ name, why }: { name: string; why: string }) => `This is a ${name}: ${why}.`,
  notAKnownFormat: ({ why }: { why: string }) => `Not recognised: ${why}.`,
  notRecognised: ({ headBytes }: { headBytes: number }) =>
    `Not recognised: no JSON record in the first ${headBytes / 1024} KiB.`,

  receiptsTooLarge: ({ mib }: { mib: number }) => `the body is larger than ${mib} MiB`,
  receiptsUnreadable: ({ detail }: { detail: undefined | string }) => `the body cannot be read: ${detail}`,
  receiptKnown: 'a receipt with this id was received before',
  receiptConflict: 'a different receipt with this ID was received before; both were kept',
}
