import { fetchFailure, type FetchFailure } from '@/lib/connections/failures'
import { RefusedAddressError } from './allowed-lookup'

const CERTIFICATE = /CERT|VERIFY|SIGNATURE|CRL|ISSUER/
const NOT_TLS = /^(?:ERR_SSL|EPROTO$)/

/** Whether an error of this code says that a certificate does not hold. */
export const isAboutCertificate = (code: string): boolean => CERTIFICATE.test(code) && !NOT_TLS.test(code)
const NOT_FOUND = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA'])
const CUT = new Set(['Z_BUF_ERROR', 'HPE_INVALID_EOF_STATE'])

/** What a connection that broke says of the server. */
export function failureOf(error: unknown): FetchFailure {
  // Several addresses were tried: the first one decides.
  const one = error instanceof AggregateError ? (error.errors[0] as unknown) : error
  if (one instanceof RefusedAddressError) return fetchFailure('private_address')
  const { code = '', message = '' } = one as NodeJS.ErrnoException
  // The head was there, the body was not.
  if (message === 'aborted' || CUT.has(code)) return fetchFailure('cut_off')
  if (code.startsWith('Z_')) return fetchFailure('not_json', 'it could not be decompressed')
  if (NOT_TLS.test(code)) return fetchFailure('down', 'the server does not use TLS')
  if (isAboutCertificate(code)) return fetchFailure('certificate', CERTIFICATES[code])
  if (code === 'ECONNREFUSED') return fetchFailure('down', 'connections are refused')
  if (NOT_FOUND.has(code)) return fetchFailure('down', 'host name not found')
  if (code === 'ECONNRESET' || code === 'EPIPE') return fetchFailure('down', 'connection lost')
  if (code === 'ETIMEDOUT') return fetchFailure('timed_out')
  if (code.startsWith('HPE_')) return fetchFailure('not_json', 'it is not HTTP')
  return fetchFailure('down', /^[A-Z_]{2,40}$/.test(code) ? code : undefined)
}

const CERTIFICATES: Record<string, string> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it signed itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'signed by an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'signed by an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'signed by an unknown authority',
  CERT_HAS_EXPIRED: 'it has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'issued for a different host name',
}
