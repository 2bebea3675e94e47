/** Why a request failed. */
export const httpText = {
  responseTooLarge: 'the response is too large',
  connectionLost: 'connection lost while reading the response',
  unknownHost: 'host name not found',
  serverStatus: ({ status }: { status: number }) => `the server returned status ${status}`,
}
