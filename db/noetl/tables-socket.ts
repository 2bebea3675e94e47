import { isIP, type LookupFunction, type Socket } from 'node:net'
import tls from 'node:tls'
import { limits } from '@/lib/limits'
import { addressRange } from '../fetch/address-range'
import { promptSockets } from '../socket'
import { TablesError } from './tables-problem'

/**
 * Whether a database may be asked in the clear: only one of this machine or of a private network, and only where its address asks for no encryption. Every
 * other word of `sslmode` means that the certificate has to hold, `require` and `prefer` among them, which elsewhere take any.
 *
 * @param address that the socket is connected to
 */
export const mayBePlain = (sslmode: string | null, address: string | undefined): boolean =>
  (sslmode === null || sslmode === 'disable') && addressRange(address ?? '') === 'private'

interface TablesSockets {
  sslmode: string | null
  lookup: LookupFunction
  signal: AbortSignal
}

/**
 * Makes the sockets of postgres.js, connected and encrypted where they have to be: before the driver says a word, and so before a password is sent. The driver
 * itself would take any certificate for `require`, and would compare that of an address without a name with `localhost`.
 *
 * @throws TablesError, or what the connection broke with
 */
export const tablesSockets = ({
  sslmode,
  lookup,
  signal,
}: TablesSockets): ((options: Parameters<ReturnType<typeof promptSockets>>[0]) => Promise<Socket>) => {
  const connect = promptSockets(lookup)
  return async (options) => {
    const socket = connect(options)
    const late = AbortSignal.timeout(limits.fetchConnectMsMax)
    const stop = AbortSignal.any([signal, late])
    try {
      await arrival(socket, 'connect', stop)
      if (mayBePlain(sslmode, socket.remoteAddress)) return socket
      return await encrypted(socket, options.host[0]!, stop)
    } catch (error) {
      socket.destroy()
      if (late.aborted && !signal.aborted) throw new TablesError('unreachable', { cause: error })
      throw error
    }
  }
}

/** The question whether the server speaks TLS, and its yes. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])
const YES = Buffer.from('S')

async function encrypted(socket: Socket, host: string, stop: AbortSignal): Promise<Socket> {
  const answer = arrival(socket, 'data', stop)
  socket.write(SSL_REQUEST)
  // What comes along with the yes was written by somebody who need not have the key.
  if (!YES.equals((await answer) as Buffer)) throw new TablesError('not_encrypted')
  const secure = tls.connect({
    socket,
    host,
    servername: isIP(host) === 0 ? host : undefined,
    rejectUnauthorized: true,
  })
  await arrival(secure, 'secureConnect', stop)
  return secure
}

/** Waits for an event; whatever ends the socket before it is thrown. */
function arrival(
  socket: Socket,
  event: 'connect' | 'data' | 'secureConnect',
  stop: AbortSignal,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    // What breaks after that is heard by nobody, and would end the process.
    socket.on('error', reject)
    socket.once('close', () => reject(new TablesError('unreachable')))
    socket.once(event, resolve)
    stop.addEventListener('abort', () => reject(stop.reason as Error), { once: true })
    stop.throwIfAborted()
  })
}
