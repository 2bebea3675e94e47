import { byDesignBetween } from './by-design'
import type { Ways } from './compare-layers'
import { asLogged } from './run-document'

/**
 * What is known of the ways between the layers of a document.
 *
 * @param replies places of rows of `source` that hold what a worker replied: of these the log holds less on purpose
 */
export const documentWays = (replies: ReadonlySet<number>): Ways => ({
  design: byDesignBetween,
  written: (from, _, value) => (from === 'source' ? asLogged(value, { replies }) : value),
})
