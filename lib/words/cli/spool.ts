import { countOf, formatBytes } from '../../text/amounts'

/** What the spool reports. */
export const spoolText = {
  spoolFull: ({
    count,
    kind,
    bytes,
    oldest,
  }: {
    count: number
    kind: string
    bytes: number
    oldest: string
  }) => `the spool is full: dropped ${countOf(count, kind)} (${formatBytes(bytes)}), the oldest of ${oldest}`,

  keyAccepted: ({ server }: { server: string }) => `${server} accepts the key again`,
  keyRejected: ({ server, reason, since }: { server: string; reason: string; since: string }) =>
    `${server} rejected the key (${reason}); frames and records wait in the spool since ${since}`,
  setToken: 'Set INQUEST_TOKEN to a key that can ingest (Settings > Keys), then run `inquest doctor`.',
  restartServer: 'Restart the server on this machine, then run `inquest doctor`.',
  serverHere: 'The server on this machine',
}
