/** Why a correction of a cause was not stored or undone. */
export const correctionText = {
  noCause: 'The execution has no cause to correct.',
  causeChanged:
    'The cause has changed since you looked, so your correction was not saved. Reload the execution and check it again.',
  alreadyCorrected: ({ by }: { by: string }) =>
    `${by} already corrected this cause. Undo that correction first.`,
  undoneElsewhere: ({ by }: { by: string }) =>
    `That correction was undone, and ${by} has corrected the cause since. Nothing was changed.`,
  nothingToUndo: 'This execution has no correction to undo.',
  noSuchCall: 'call: the execution has no such call.',
  callNotFailed: 'call: that call did not fail.',
  states: ({ states }: { states: readonly string[] }) => `state: must be ${states.join(' or ')}`,
}
