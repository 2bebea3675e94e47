import type { LinkRules } from '../model/messages/links'
import type { Catalogue } from './catalogue'

/** Why one call is taken for a further call of another. */
export const LINK_RULES: Catalogue<LinkRules> = {
  same_tool_same_target: () => 'same tool, same target',
  same_tool_same_parameters: () => 'same tool, same parameters',
  same_first_words: () => 'same first words of the command',
  counted: ({ attempt, max }) => `attempt ${attempt}${max === null ? '' : ` of ${max}`}`,
}
