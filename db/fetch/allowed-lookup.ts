import { lookup, type LookupAddress, type LookupOptions } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { addressRange } from './address-range'
import { storeText } from '@/lib/words/server/store'

/** Recognised by its name: it comes back through the socket. */
export class RefusedAddressError extends Error {
  override name = 'RefusedAddressError'
}

export type Resolve = (
  host: string,
  options: LookupOptions & { all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

export const isAllowedAddress = (address: string, allowPrivate: boolean): boolean => {
  const range = addressRange(address)
  return range === 'public' || (range === 'private' && allowPrivate)
}

/**
 * Resolves a name for the socket that connects to it, and refuses it when any of its addresses is not allowed. Made for each connection, so a
 * name that means something else a moment later gains nothing.
 */
export const allowedLookup =
  (allowPrivate: boolean, resolve: Resolve = lookup): LookupFunction =>
  (host, options, done) => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, '', 4)
      const first = addresses[0]
      if (first === undefined || !addresses.every(({ address }) => isAllowedAddress(address, allowPrivate)))
        return done(new RefusedAddressError(storeText.addressNotAllowed), '', 4)
      if (options.all) done(null, addresses)
      else done(null, first.address, first.family)
    })
  }
