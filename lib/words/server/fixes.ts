/** Why a fix was not accepted or not handed out. */
export const fixProblemText = {
  downloadRequires: ({ isUnread }: { isUnread: boolean }) =>
    `This patch ${isUnread ? 'has not been scanned yet and may contain a secret' : 'may contain a secret'}; downloading it requires the role reviewer, or a key with the scopes read and write.`,

  patchInJson:
    'A patch can’t be sent inside JSON. Send it as the request body, or as the form part `patch` next to `proposal` (docs/api.md#fixes).',
  formType: 'Send forms as multipart/form-data with the part `patch`.',
  patchEmpty: 'The patch is empty.',
  digestMismatch: ({
    bytes,
    digest,
    who,
    said,
  }: {
    bytes: number
    digest: string
    who: string
    said: string
  }) =>
    `The ${bytes} bytes of the patch have the SHA-256 ${digest}; ${who} says ${said}. Nothing was stored.`,
  formMalformed: 'The form could not be read: its parts or boundary are malformed.',
  formWithoutPatch: 'The form has no part `patch`.',
  formPartRepeated: ({ all, name }: { all: number; name: string }) =>
    `The form has ${all} parts \`${name}\`; one is expected.`,
  patchAsFile: 'Send the part `patch` as a file (with a file name), so that it is not altered.',

  supersededAlready: ({ state }: { state: string }) =>
    `supersedes: that fix is already “${state}”. Reload the fixes of this task and supersede the current one.`,
  supersedesUnknown: 'supersedes: no such fix for this task of this execution.',

  noTranscript: 'This fix has no transcript.',
}
