/** Why a source, a connection or a mirror was not changed. */
export const sourceProblemText = {
  privateNetwork: 'A server in a private network',
  headerNotResent:
    'header: the credential is not sent to a new address. Send it again with the address, or null for none.',

  alreadyConnected: ({ name }: { name: string }) => `The source "${name}" is already connected.`,

  otherMirrorExists: 'Fixes without a repository already have a mirror. Remove it first.',
  mirrorExists: 'This repository already has a mirror. Remove it first.',

  sourceConnected: 'This source has a connection. Remove the connection first.',
  sourceHasData: 'This source has received data, so it can’t be removed.',

  sourceExists: ({ name }: { name: string }) => `The project already has a source "${name}" of this kind.`,
}
