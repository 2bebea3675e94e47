/** What `npm start` prints, and why it does not start. */
export const startText = {
  otherBuild: ({ pid }: { pid: number }) => `process ${pid} is building the pages; waiting for it`,
  building: 'building the pages (once after each change; a minute or so)',
  built: ({ seconds }: { seconds: number }) => `built the pages in ${Math.round(seconds)} s`,
  makingFixedPages: 'making the fixed pages',
  buildFailed: ({ code, output }: { code: null | number; output: string }) =>
    `The pages could not be built (next build ended with ${code}):\n${output.trim()}`,

  badProxy: ({ entry }: { entry: string }) =>
    `INQUEST_TRUSTED_PROXIES has "${entry}"; each entry must be an IP address or a CIDR range, such as 10.0.0.5 or 10.0.0.0/8.`,
  openProxy: ({ entry }: { entry: string }) =>
    `INQUEST_TRUSTED_PROXIES has "${entry}", which trusts every client to name its own address; list only your proxies.`,

  databaseSilent: ({ host, code }: { host: string; code: null | string }) =>
    `The database at ${host} did not answer (${code}). Check DATABASE_URL, or leave it out to use the embedded one.`,
  gaveUp: ({ message }: { message: string }) => `gave up on the database: ${message}.`,

  proxyHint: ({ client }: { client: string }) =>
    `a reverse proxy at ${client} forwards requests, and sign-in limits treat all of its users as one client; set INQUEST_TRUSTED_PROXIES=${client} if it is yours`,

  secretTooShort: ({ file }: { file: string }) =>
    `${file} is shorter than 32 characters; delete it to create a new one; everyone must then sign in again`,

  portInUse: ({ port, host }: { port: number; host: string }) =>
    `Port ${port} on ${host} is in use. Stop the other program, or choose another port: PORT=${port + 1} npm start`,
  portPrivileged: ({ port }: { port: number }) =>
    `Port ${port} can't be used by this account: ports below 1024 are privileged. Choose a higher one with PORT.`,
  foreignHost: ({ host }: { host: string }) => `HOST is ${host}, which is not an address of this machine.`,

  badPort: ({ portText }: { portText: string }) =>
    `PORT is "${portText}"; set it to a number from 0 to 65535.`,
  badDatabaseUrl: ({ name }: { name: string }) => `${name} must begin with postgres:// or postgresql://.`,
  badPublicUrl: 'INQUEST_PUBLIC_URL must be an http or https address.',
  badMetricsToken:
    'INQUEST_METRICS_TOKEN must have at least 16 characters, all visible ASCII: openssl rand -hex 32',

  diskFull:
    'could not start because a disk is full; free space on the one that holds INQUEST_DATA or DATABASE_URL',
  alreadyRunning: ({ dataDir, pid }: { dataDir: string; pid: number }) =>
    `Inquest is already running on ${dataDir} (process ${pid}). Stop it first, or set INQUEST_DATA to another folder.`,
  firstAdminLink: ({ link }: { link: string }) =>
    `Open this one-time link to create the first admin account:\n  ${link}`,
  forgotPassword: ({ command }: { command: string }) =>
    `Forgot your password? Get a link: ${command} user link EMAIL`,
  createFirstAdmin: ({ command }: { command: string }) =>
    `Create the first admin account with a link from: ${command} user link`,
  running: ({ url, how }: { url: string; how: string }) =>
    `\n  Inquest is running at ${url}\n\n  ${how}\n\n  Press Ctrl-C to stop.\n\n`,
}
