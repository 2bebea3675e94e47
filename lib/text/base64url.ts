/** Bytes in base64url (RFC 4648, section 5) without padding; in browsers and Node alike. For short ones: all become arguments of one call. */
export const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
