import type { MessageOf, NoParams } from '../message'

/** Why one call is taken for a further call of another. */
export interface LinkRules {
  same_tool_same_target: NoParams
  same_tool_same_parameters: NoParams
  /** No more than a hint: it makes no chains. */
  same_first_words: NoParams
  /** The source counts its attempts. */
  counted: { attempt: number; max: number | null }
}
export type LinkRule = MessageOf<LinkRules>
