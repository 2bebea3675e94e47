import { connect, type LookupFunction, type Socket } from 'node:net'

interface ParsedOptions {
  host: string[]
  port: number[]
  path?: string | null | false
}

/**
 * Makes the sockets of postgres.js with Nagle's algorithm off. With it on, what follows a COPY waits for the other side's delayed
 * acknowledgements: measured 88 ms for each COPY on loopback. The socket is handed over before it is connected; Node keeps what is
 * written until then, and a failure arrives as the events that postgres.js handles anyway.
 *
 * @param lookup resolves the name of the host, and may refuse what it stands for
 */
export function promptSockets(lookup?: LookupFunction): (options: ParsedOptions) => Socket {
  let next = 0
  return ({ host, port, path }) => {
    if (path) return connect({ path })
    const at = next++ % host.length
    const socket = connect({ host: host[at]!, port: port[at]!, noDelay: true, lookup })
    // Read by postgres.js for the name on the certificate.
    return Object.assign(socket, { host: host[at], port: port[at] })
  }
}
