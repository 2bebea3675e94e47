type Texts = Record<string, string | ((params: never) => string)>

/** Params for each text that takes some. */
export type SamplesOf<T extends Texts> = {
  [Id in keyof T as T[Id] extends (params: infer P) => string
    ? unknown extends P
      ? never
      : Id
    : never]: T[Id] extends (params: infer P) => string ? P : never
}

/** Every text of a catalogue, with the params of its sample. */
export const textsWith = <T extends Texts>(texts: T, samples: SamplesOf<T>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(texts).map(([id, text]) => [
      id,
      typeof text === 'string' ? text : text((samples as Record<string, never>)[id]!),
    ]),
  )
