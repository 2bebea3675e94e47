/** What `inquest record` concludes when the command has ended. */
export const recordEndText = {
  invalidPattern: ({ source, why }: { source: string; why: string }) =>
    `--expect: “${source}” is not a valid regular expression (${why}).`,
  unusablePattern: ({ source, why }: { source: string; why: string }) =>
    `--expect: “${source}” cannot be looked for, so nothing could be failed by it: ${why}.`,

  notRead: 'it could not be read',
  outputNotRecorded: ({ reason }: { reason: string }) =>
    `Its output could not be recorded (${reason}), so it was not checked`,

  noResultRecord: 'The output has no result record',
  outputTooLong: 'The output is too long to check',
  outputNotChecked: ({ reason }: { reason: string }) => `The output could not be checked: ${reason}`,
  emptyResult: 'The result is empty',
  markerMissing: ({ marker }: { marker: string }) => `The result lacks the completion marker ${marker}`,
  patternsMissing: ({ missing }: { missing: readonly string[] }) =>
    `The result does not match the expected pattern: ${missing.join(', ')}`,

  killed: ({ signal }: { signal: string }) => `The process was killed by ${signal}`,
  badResultRecord: 'The result record has fields of the wrong type and was not judged',
  timedOut: 'The process timed out',
}
