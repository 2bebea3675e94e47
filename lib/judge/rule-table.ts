import type { Basis, Pointer } from '../model/execution'

/** What a table of rules answers: which rule held, its values for the text, and what the verdict rests on. */
export type Verdict<Answer, Params> = {
  [Id in keyof Params & string]: {
    readonly rule: Id
    readonly params: Params[Id]
    readonly verdict: Answer
    /** Null: nothing in the received bytes says it. */
    readonly pointer: Pointer | null
    readonly basis: Basis
  }
}[keyof Params & string]

/** What a table of predictions answers. They are inferred, and rest on what the failure they are about rests on. */
export type Prediction<Answer, Params> = {
  [Id in keyof Params & string]: {
    readonly rule: Id
    readonly params: Params[Id]
    readonly verdict: Answer
  }
}[keyof Params & string]

/**
 * One row of a table. `Params` maps each rule's id to the type of its params, so that a rule without a message does
 * not compile. `when` may ask anything of the facts; the other members are only asked where it held.
 */
export type Rule<Facts, Answer, Params> = {
  [Id in keyof Params & string]: {
    readonly id: Id
    readonly when: (facts: Facts) => boolean
    readonly verdict: Answer | ((facts: Facts) => Answer)
    readonly params: (facts: Facts) => Params[Id]
    readonly pointer?: (facts: Facts) => Pointer | null
    /** Left out: inferred. */
    readonly basis?: Basis | ((facts: Facts) => Basis)
  }
}[keyof Params & string]

/** In the order of their asking: the first rule that holds decides. The last one should hold always. */
export type RuleTable<Facts, Answer, Params> = readonly Rule<Facts, Answer, Params>[]

/**
 * Asks the rules in order.
 *
 * @returns the answer of the first rule that holds; null where none does
 */
export function firstThatHolds<Facts, Answer, Params>(
  table: RuleTable<Facts, Answer, Params>,
  facts: Facts,
): Verdict<Answer, Params> | null {
  const rule = table.find(({ when }) => when(facts))
  if (rule === undefined) return null
  const { id, verdict, params, pointer, basis } = rule
  return {
    rule: id,
    params: params(facts),
    verdict: typeof verdict === 'function' ? (verdict as (facts: Facts) => Answer)(facts) : verdict,
    pointer: pointer?.(facts) ?? null,
    basis: typeof basis === 'function' ? basis(facts) : (basis ?? 'inferred'),
  } as Verdict<Answer, Params>
}

/** The same of a table whose rules state no evidence of their own. */
export function predict<Facts, Answer, Params>(
  table: RuleTable<Facts, Answer, Params>,
  facts: Facts,
): Prediction<Answer, Params> | null {
  const found = firstThatHolds(table, facts)
  return (
    found &&
    ({ rule: found.rule, params: found.params, verdict: found.verdict } as Prediction<Answer, Params>)
  )
}
