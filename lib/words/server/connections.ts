import { limits } from '../../limits'

/** Requests that are refused before a route sees them, and connections that are dropped. */
export const connectionText = {
  connectionsDropped: ({ dropped }: { dropped: number }) =>
    `${limits.connectionsMax} connections are open; ${dropped === 1 ? '1 more was' : `${dropped} more were`} dropped since the last such message`,

  bodyTimedOut: () =>
    `The request body was not complete within ${limits.smallBodySeconds} s. Nothing was stored.`,

  methodNotSupported: ({ method, allow }: { method: string; allow: string }) =>
    `${method || 'This method'} is not supported; ${allow} are.`,
  nulInAddress: 'The address contains a NUL character (%00).',
  unreadableHeader: 'The header next-router-state-tree could not be read.',
  headersTooLarge: '431 Request Header Fields Too Large',
}
