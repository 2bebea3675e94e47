import { countOf } from '../../text/amounts'

/** What `inquest redact` prints. */
export const redactText = {
  written: ({ path, secrets }: { path: string; secrets: number }) =>
    `${path}: written${secrets > 0 ? `, ${countOf(secrets, 'secret')} redacted` : ', no secrets found'}.`,
  notRead: ({ path, code }: { path: string; code: string }) => `${path} could not be read (${code}).`,
  notRedacted: ({ path, status }: { path: string; status: string }) =>
    `${path} was not redacted and not copied: ${status === 'empty' ? 'it is empty' : 'Inquest has no reader for its format'}.`,
  notWritten: ({ path, code }: { path: string; code: undefined | string }) =>
    `${path} could not be written (${code}).`,
}
