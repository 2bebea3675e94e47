import { limits } from '../../limits'
import { countOf, formatBytes, formatCount } from '../../text/amounts'
import { cutAtWord, oneLine } from '../../text/visible'

/** What `inquest verify` prints. */
export const verifyText = {
  rowsRead: ({ name, why, count }: { name: string; why: string; count: number }) =>
    `${name}: ${why}; ${count} rows could be read`,

  listNotClosed: 'the list is not closed: receipts may be missing',
  extraData: 'extra data after the document was ignored',

  lineTooLong: ({ place }: { place: number }) =>
    `line ${place} is longer than ${formatBytes(limits.lineBytesMax)}; the rest was not read`,

  isFolder: ({ name }: { name: string }) => `${name} is a folder. Name the receipts file in it.`,
  unreadable: ({ name, code }: { name: string; code: undefined | string }) =>
    `${name} could not be read (${code}).`,
  notReceipts: ({ name, isBinary }: { name: string; isBinary: boolean }) =>
    `${name} is neither a receipts database nor JSON${isBinary ? ': it is binary' : ''}.`,
  notJsonList: ({ name }: { name: string }) =>
    `${name} starts like a JSON list but is not one, so its receipts can't be read.`,
  documentTooLarge: ({ name, most }: { name: string; most: string }) =>
    `${name} is one document of more than ${most}. Write the receipts as JSON Lines, which are streamed.`,

  checkpointsUnreadable: ({
    path,
    code,
    reason,
  }: {
    path: string
    code: undefined | string
    reason: string
  }) => `The checkpoints ${cutAtWord(oneLine(path), 120)} could not be read (${code ?? reason}).`,

  keyForms: 'PEM (BEGIN PUBLIC KEY) of an Ed25519 key, u… (multibase) or did:key:z6Mk…',
  neitherKeyNorFile: ({ option, named, keyForms }: { option: string; named: string; keyForms: string }) =>
    `${option} ${named} is neither a readable key nor a file. A key is ${keyForms}, or a file with one.`,
  keyUnreadable: ({ named, code, reason }: { named: string; code: undefined | string; reason: string }) =>
    `The key ${named} could not be read (${code ?? reason}).`,
  privateKey: ({ what }: { what: string }) =>
    `${what} is a private key. Use the public key to verify chains.`,
  notAKey: ({ what, keyForms }: { what: string; keyForms: string }) =>
    `${what} is not a readable key. Use ${keyForms}.`,

  tooLarge: 'it is too large',

  finalHashForm: '--final-hash takes sha256: followed by 64 lowercase hex digits.',
  checkpointsNeedKey: '--checkpoints needs --key to check the signatures.',
  noCheckpoints: 'the file contains no checkpoints',
  checkpointsUnusable: ({ unusable }: { unusable: number }) =>
    `${countOf(unusable, 'checkpoint')} cannot be read or ${unusable === 1 ? 'is' : 'are'} signed by none of the keys, and did not count`,

  fileTruncated: 'the file is truncated',
  chainsMissing: 'the file is missing some of its chains',

  malformedJson: 'not valid UTF-8 JSON, or truncated',
  partMissing: 'action, outcome or chain is missing',
  numberTooLarge: 'contains a number that is too large',
  halfSurrogate: 'contains half of a surrogate pair',
  startsAt: ({ startsAbove }: { startsAbove: number }) =>
    `Starts at number ${formatCount(startsAbove)}, not 1`,
  moreLikeThis: ({ more }: { more: number }) => `… and ${formatCount(more)} more like this`,
  rowDisagrees: ({ row, columns }: { row: number; columns: readonly string[] }) =>
    `Row ${row}: ${columns.join(', ')} ${columns.length === 1 ? 'says' : 'say'} differently from the receipt, which was used`,
  signaturesNotChecked: ({ end }: { end: string }) =>
    `signatures not checked; links and numbers are consistent, ${end}`,
  validWithoutEnd: 'valid so far, without an end marker: later receipts may be missing',
  noKeyGiven: 'Signatures were not checked: no --key was given',
  listReversed: 'The list was newest first and was reversed before verification',
  beginsAt: ({ startsAbove }: { startsAbove: number }) =>
    `: it begins with number ${formatCount(startsAbove)}`,
  partOfChain: ({ from, badReceipts }: { from: string; badReceipts: number }) =>
    `Part of a chain, without its start${from}. ${badReceipts === 1 ? 'The receipts present are consistent' : 'The receipts present are not consistent either'}`,
  keyRepeated: ({ receipts, key }: { receipts: string; key: string }) =>
    `Warning: receipts ${receipts} share one idempotency key, ${key}: a call was retried`,
  noResultYet: 'Warning: the last receipt has no result yet',
  sessionsOpen: ({ opened, closed }: { opened: number; closed: number }) =>
    `Warning: terminal sessions: ${formatCount(opened)} opened, ${formatCount(closed)} closed`,
  severalIssuers: ({ issuers }: { issuers: readonly string[] }) =>
    `Warning: several issuers in one chain: ${issuers.join(', ')}`,
  badChainStatus: ({ receipt }: { receipt: number }) =>
    `Warning: receipt ${formatCount(receipt)} has an unexpected or unknown chain status`,
  withSignaturesNotChecked: 'with signatures not checked',

  keysFromOnePlace: 'Use either --file-keys, or --key and --current. A key that you already trust is safer.',
  checkpointsForOtherChains: ({ chains, named }: { chains: number; named: string }) =>
    `checkpoints name ${countOf(chains, 'chain')} that ${chains === 1 ? 'is' : 'are'} not here: ${named}${chains > 5 ? ', …' : ''}`,
  keysCameWithFile: ({ fileKeys }: { fileKeys: readonly string[] }) =>
    `the keys came with the file, so its author could have re-signed it: compare ${fileKeys.join(', ')} with the issuer`,
  signaturesProveLittle:
    'signatures were not checked: no --key was given. Links and numbers alone prove little',

  severalChains:
    'The input contains several chains. Choose one with --chain to use --length or --final-hash.',
}
