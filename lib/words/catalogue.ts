import type { MessageOf } from '../model/message'

/** The English of a domain: one entry for each of its messages; one that is missing does not compile. */
export type Catalogue<Messages> = {
  readonly [Id in keyof Messages & string]: (params: Messages[Id]) => string
}

/** The text of a message. */
export const textOf = <Messages>(catalogue: Catalogue<Messages>, message: MessageOf<Messages>): string =>
  // The union of entries takes the intersection of all params, which no message has.
  (catalogue[message.id] as (params: unknown) => string)(message.params)

/**
 * The text of a message that a row keeps: rendered anew where its id is known here, else the text of the day, since a
 * row may come from another version.
 */
export function storedText<Messages>(
  catalogue: Catalogue<Messages>,
  stored: { id: string | null; params: unknown; text: string },
): string {
  const { id, params, text } = stored
  if (id === null || params === null || !Object.hasOwn(catalogue, id)) return text
  return (catalogue as unknown as Record<string, (params: unknown) => string>)[id]!(params)
}
