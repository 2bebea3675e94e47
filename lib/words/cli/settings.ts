/** Why the command line has no server to talk to. */
export const settingsText = {
  noServer: ({ file }: { file: string }) =>
    `No server is configured. Start one on this machine (\`npm start\` in the clone writes ${file}), `,
  setUrlAndToken:
    'or set INQUEST_URL and INQUEST_TOKEN (a key from Settings > Keys, or `inquest token create`).',
  notHttp: ({ where }: { where: string }) => `${where} is not an http or https URL.`,
  passwordInUrl: ({ where }: { where: string }) =>
    `${where} contains a password. Set INQUEST_TOKEN to your API key instead.`,
  noToken: 'INQUEST_URL is set, but INQUEST_TOKEN is not. Create a key under Settings > Keys and set both.',
  readableByOthers: ({ file }: { file: string }) =>
    `Other users can read ${file}, so its key was ignored. Run \`chmod 600 ${file}\`, or start the server again.`,
  unreadable: ({ file, code }: { file: string; code: undefined | string }) =>
    `${file} could not be read (${code}).`,
  notJson: ({ file }: { file: string }) => `${file} is not JSON. Restart the server to recreate it.`,
  incomplete: ({ file }: { file: string }) =>
    `${file} lacks the address or the key. Restart the server to recreate it.`,
}
