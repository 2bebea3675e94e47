import { shellWord } from '@/lib/views/fixes/apply-commands'
import { PROGRAM_PLACEHOLDER } from '@/lib/program-command'
import { isLoopback, PEER_HEADER, publicUrl } from './config'

/**
 * How the command line is started, for the commands on a page. A reader on this machine sees the path of this program, anybody else one to
 * fill in: the path would be wrong there, and is none of their business.
 */
export function programCommand(headers: Headers): string {
  const file = process.env.INQUEST_PROGRAM
  return file && isLocalReader(headers) ? `node ${shellWord(file)}` : PROGRAM_PLACEHOLDER
}

/** Every sign must say so: behind a proxy on this machine the connection is local, and the reader is not. */
function isLocalReader(headers: Headers): boolean {
  const hops = `${headers.get(PEER_HEADER) ?? ''},${headers.get('x-forwarded-for') ?? headers.get(PEER_HEADER) ?? ''}`
  return (
    hops.split(',').every((hop) => /^\s*(?:(?:::ffff:)?127\.[\d.]+|::1)\s*$/.test(hop)) &&
    !headers.has('forwarded') &&
    isLoopback(`http://${headers.get('host') ?? ''}`) &&
    isLoopback(publicUrl())
  )
}
