/**
 * A sentence as a fact: what it says is an id and typed values, and its English comes from `lib/words`. Values are
 * JSON, since rows keep them beside the text of the day. Each domain lists its messages as one interface from id to
 * the type of its params.
 */
export type MessageOf<Messages> = {
  [Id in keyof Messages & string]: { readonly id: Id; readonly params: Messages[Id] }
}[keyof Messages & string]

/** Params of a message that says the same each time. */
export type NoParams = Readonly<Record<string, never>>
