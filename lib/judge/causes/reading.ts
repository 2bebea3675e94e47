import type { Advice } from '../../model/execution'

/** What the words of a failure alone say: whether the same call, unchanged, could end otherwise, why, and what to do now. */
export interface Reading {
  retry: Advice['retry']
  because: string
  next: string
}

/** A reason that is known by its words; `next` is a sentence without its end. */
export interface ReasonPattern extends Reading {
  when: RegExp
}
