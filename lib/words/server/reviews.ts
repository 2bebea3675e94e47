/** Why a review, a comment or a suggestion was not accepted. */
export const reviewText = {
  threadNotFound: 'thread: not found on this fix.',
  commentNotFound: 'target: this thread has no such comment to withdraw.',
  notCommentAuthor: 'target: only its author can withdraw a comment.',
  textEmpty: 'text: must not be empty.',
  commentOnOtherPatch: 'sha256: the comment is on a different patch than this fix has.',
  lineNotFound: 'file, side, lineStart, lineEnd: not found in the patch.',
  versionsParam: 'versions: own or all',

  keysCantReview: 'API keys can’t review fixes. Sign in. A key can propose, read and comment.',
  reviewTooLate: ({ by, state, version }: { by: null | string; state: string; version: number }) =>
    `Since you looked${by === null ? '' : `, ${by} decided`}: the fix is now “${state}” (version ${version}). Your review was not saved; the attempt is in the history.`,
  ownFix: 'You proposed this fix. Someone else must review it.',
  fixExpired: 'The fix has expired.',
  commentRequired: 'comment: required. Every review needs a reason.',
  appliedRequired: 'applied: required. Say how you applied it.',
  appliedNotAllowed: 'applied: only allowed when `to` is applied.',
  noSuchStep: ({ state }: { state: string }) => `A fix in state “${state}” can’t change to that state.`,
  patchNotApprovable: ({ isUnread, codes }: { isUnread: boolean; codes: readonly string[] }) =>
    `The patch cannot be approved${isUnread ? ' before it is read' : ''}: ${codes.join(', ')}.`,
  flagsNotAcknowledged: ({ codes }: { codes: readonly string[] }) =>
    `acknowledged: review ${codes.join(', ')} first, then confirm it here.`,

  keysCantSuggest: 'API keys can’t suggest changes. Sign in, or propose a new patch with the key.',
  suggestionTooLate: ({ state }: { state: string }) =>
    `The fix was changed to “${state}”. Your suggestion was not saved.`,
  suggestionOnOtherPatch: 'sha256: the suggestion is on a different patch than this fix has.',

  keysCantMark: 'API keys can’t mark files as viewed. Sign in.',
}
