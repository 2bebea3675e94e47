import type { Visit } from './visit'

/**
 * A page that could not be used is opened a second time, alone: on a busy machine the first one may only have been late. What else was
 * found stays, whichever look found it.
 */
export const withSecondLook = (first: Visit, second: Visit): Visit => ({
  ...second,
  troubles: [...new Set([...first.troubles.filter((trouble) => trouble !== first.late), ...second.troubles])],
  shown: first.shown || second.shown,
})
