import type { NoParams } from '../../model/message'

const NONE: NoParams = {}

/** Params of a rule whose text is the same each time. */
export const noParams = (): NoParams => NONE
