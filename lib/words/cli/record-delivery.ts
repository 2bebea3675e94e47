/** What became of a record. */
export const recordDeliveryText = {
  tryingAgain: ({ answered, reason }: { answered: boolean; reason: string }) =>
    `the server ${answered ? 'cannot accept data right now' : 'does not answer'} (${reason}), trying again`,
  redacting: 'redacting secrets before spooling the record',

  notStarted: ({ command, startError }: { command: undefined | string; startError: string }) =>
    `${command} could not be started (${startError})`,
  heldOpen: ({ streams }: { streams: string }) =>
    `a background process kept ${streams} open and was not awaited`,
  failedDespiteExitCode: ({ failedOn, text }: { failedOn: string; text: null | string }) =>
    `failed although the process exited with code 0 (${failedOn}: ${text})`,
  notSent: ({ reason, astray }: { reason: string; astray: null | string }) =>
    `recorded, but not sent (${reason}); it ${astray === null ? 'is in the spool' : `is in ${astray}`}`,
  recordRejected: ({ reason, astray }: { reason: string; astray: null | string }) =>
    `the server rejected the record (${reason}); it ${astray === null ? 'was set aside' : `is in ${astray}`}`,
  notRecorded: ({ reason }: { reason: string }) => `the run could not be recorded (${reason})`,
}
