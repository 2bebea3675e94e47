import { fetchFailure, type FetchFailure } from '@/lib/connections/failures'
import type { PlainFetchDetail } from '@/lib/model/messages/connections'
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
  if (code.startsWith('Z_')) return fetchFailure('not_json', 'not_decompressed')
  if (NOT_TLS.test(code)) return fetchFailure('down', 'no_tls')
  if (isAboutCertificate(code)) return fetchFailure('certificate', CERTIFICATES[code])
  if (code === 'ECONNREFUSED') return fetchFailure('down', 'refused')
  if (NOT_FOUND.has(code)) return fetchFailure('down', 'host_not_found')
  if (code === 'ECONNRESET' || code === 'EPIPE') return fetchFailure('down', 'connection_lost')
  if (code === 'ETIMEDOUT') return fetchFailure('timed_out')
  if (code.startsWith('HPE_')) return fetchFailure('not_json', 'not_http')
  return fetchFailure('down', /^[A-Z_]{2,40}$/.test(code) ? { id: 'error_code', params: { code } } : null)
}

const CERTIFICATES: Record<string, PlainFetchDetail> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self_signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'unknown_authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'unknown_authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'unknown_authority',
  CERT_HAS_EXPIRED: 'expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'other_name',
}
