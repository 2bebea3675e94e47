/** What the exit statuses mean. */
export const exitText = {
  partly:
    'Partly done: some items failed, such as files that could not be imported. The output names each one.',
  unreachable: 'No server is configured, or it did not answer.',
  refused: 'The server rejected the key or the role.',
  failed: 'The server returned an error, or Inquest failed.',
  interrupted: 'Stopped by Ctrl-C or a signal. Run it again to continue where it stopped.',
}
