/** What `inquest record` prints before and while its command runs. */
export const recordStartText = {
  usage: ({ failOn }: { failOn: string }) => `Usage: inquest record [options] -- COMMAND [ARGUMENT…]

Runs a command, passes its output through untouched, keeps what it did and sends it. The exit status is the command's.

  --marker TEXT      line that the agent prints when it is done
  --expect PATTERN   regular expression that the final text must match; may be repeated
  --fail-on LIST     end with status 70 when the run failed although the process ended with 0:
                     ${failOn}
  --timeout SECONDS  stop the command and all that it started after this time
  --kill-after SECONDS  how long it may take to stop before it is killed (5)
  --chain KEY        the piece of work that this is an attempt of (else INQUEST_CHAIN)
  --attempt N        number of the attempt (else INQUEST_ATTEMPT, else the attempt of the CI run)
  --source NAME      name of the producer (the name of this machine)
  --project SLUG     project it goes to
  --json             the last line, on standard error, is one JSON document
`,
  putDashes: ({ word }: { word: string }) => `Put -- before the command: inquest record -- ${word} …`,
  noCommand: 'No command given. Put it after --.',
  notEmpty: 'it must not be empty.',
  positiveSeconds: 'it must be a positive number of seconds.',
  seconds: 'it must be a number of seconds.',
  positiveWholeNumber: 'it must be a positive whole number.',
  sourceLength: 'it must have 1 to 120 characters.',

  invalidUsage: ({ problem }: { problem: string }) =>
    `inquest record: ${problem}\n(inquest record --help lists the options)\n`,
  commandNotStarted: ({ problem }: { problem: string }) =>
    `inquest record: ${problem}\nThe command was not started.\n`,
  stdoutClosed: ({ reason }: { reason: string }) =>
    `inquest: stdout was closed (${reason}). The command keeps running and its output is recorded.`,
  runNotRecorded: ({ reason }: { reason: string }) => `inquest: the run could not be recorded: ${reason}`,
}
