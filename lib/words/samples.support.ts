import type { Catalogue } from './catalogue'

/** Params of each message of a domain, one set for each wording that it has. */
export type Samples<Messages> = { readonly [Id in keyof Messages & string]: readonly Messages[Id][] }

/** Every sample as its catalogue words it, by message: what a snapshot of a domain holds. */
export const wordedSamples = <Messages>(
  catalogue: Catalogue<Messages>,
  samples: Samples<Messages>,
): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(samples as Record<string, readonly unknown[]>).map(([id, all]) => [
      id,
      all.map((params) => (catalogue as Record<string, (params: unknown) => string>)[id]!(params)),
    ]),
  )
