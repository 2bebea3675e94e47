/** What a running hook prints. */
export const hookText = {
  spoolNotSent: ({ reason }: { reason: string }) =>
    `could not send the spooled frames and records: ${reason}`,

  idNotString: 'event or session ID is not a string',
  noEventName: 'no event name or session ID',

  usage:
    'inquest hook reads one hook frame from stdin. Run `inquest hook --install` to install it in Claude Code.\n',
  spoolNotWritten: 'could not write the frame to the spool',
  spoolOverLimits: 'could not keep the spool within its limits',
  frameLost: 'the frame is lost: neither the disk nor the server accepted it.',

  spoolDropped: ({ what }: { what: string }) => `the spool was full and dropped ${what}`,
}
