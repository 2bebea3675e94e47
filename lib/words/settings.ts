/** Why a setting of the environment cannot be meant. */
export const settingText = {
  failureTag: ({ tag }: { tag: string }) =>
    `INQUEST_FAILURE_TAG is "${tag}"; it must be the name of a tag: a letter, then letters, digits, "-", "_" and ".".`,
  paritySweep: ({ set, max }: { set: string; max: number }) =>
    `INQUEST_PARITY_SWEEP is "${set}"; it must be "off" or milliseconds of work in each minute, from 1 to ${max}.`,
}
