import { limits } from '../../limits'

/** Why a request was not answered. */
export const requestText = {
  startAndEnd: 'start, end: byte offsets; end is exclusive and not before start',

  limitRange: () => `limit: a number from 1 to ${limits.pageRowsMax}`,

  chainId: 'id: the ID of the chain',

  noSuchEndpoint: ({ method, pathname }: { method: string; pathname: string }) =>
    `There is no ${method} ${pathname.slice(0, 200)}. See /api/v1/openapi.json for all endpoints.`,

  ciRunParams: 'provider, path and run identify a CI run; attempt selects one of its attempts',
  attemptRange: 'attempt: a number from 1 to 999999999',

  noReceipts: 'This execution has no receipts.',

  findId: 'id: any ID of an execution, session, receipt, chain or tool call',
  findIdTooLong: () => `id: at most ${limits.findIdCharsMax} characters`,

  noStreamData: 'No data received for this stream.',

  replayCell: 'cell: matrix, row and column, such as policies.retriable.failed',

  notEd25519: 'Not an Ed25519 public key. Use PEM (“PUBLIC KEY”), u… or did:key:z6Mk…',

  asText: 'as: must be text',

  rebuildRunning: ({ api }: { api: string }) =>
    `This project is already being rebuilt: see ${api}, or stop it with DELETE.`,
}
