import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { base64url } from '../text/base64url'

/** What keys begin with, so that a secret scanner and a reader know one when they see it. */
export const KEY_PREFIX = 'inq_'

/** Spells random bytes as the token of a one-time link; 32 bytes are enough. */
export const tokenFrom = (random: Uint8Array): string => base64url(random)

/** Spells random bytes as an API key. */
export const keyFrom = (random: Uint8Array): string => KEY_PREFIX + base64url(random)

/** What is stored of a one-time link: hex of its SHA-256. */
export const hashToken = (token: string): string => bytesToHex(sha256(utf8ToBytes(token)))

/** What is stored of an API key: base64url of its SHA-256, the spelling of better-auth's key plugin. */
export const hashKey = (key: string): string => base64url(sha256(utf8ToBytes(key)))
