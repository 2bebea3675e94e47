/** What installing and removing the hook prints. */
export const hookInstallText = {
  invalidJson: ({ error, line }: { error: string; line: number }) =>
    `not valid JSON (${error} in line ${line})`,
  hooksNotObject: '"hooks" is not an object',
  eventNotList: ({ event }: { event: string }) => `"hooks.${event}" is not a list`,

  unreadable: ({ file, code }: { file: string; code: undefined | string }) =>
    `${file} could not be read (${code}).`,
  notWritten: ({ file, code }: { file: string; code: undefined | string }) =>
    `${file} could not be written (${code}).`,

  projectOrUser: 'Choose --project or --user, not both.',
  oneAction: 'Choose one of --install, --uninstall and --print.',
  installed: ({ file, events }: { file: string; events: number }) =>
    `${file}: installed the hook for ${events} events.`,
  alreadyInstalled: ({ file }: { file: string }) => `${file}: the hook is already installed.`,
  sharedSettings:
    'These settings are shared with everyone who uses this folder. To install the hook only for you, run `inquest hook --uninstall` and then `inquest hook --install`.',
  installedTwice: ({ other, elsewhere }: { other: null | string; elsewhere: readonly string[] }) =>
    `${other} also installs an Inquest hook (${elsewhere.join(', ')}), so each event is sent twice. \`inquest hook --uninstall\` removes both.`,
  otherFileToo: ({ other }: { other: null | string }) =>
    `${other} also contains the hook. \`inquest hook --uninstall\` removes it from both files.`,
  backupKept: ({ backup }: { backup: string }) => `The previous settings were saved as ${backup}. `,
  hasLocalPaths:
    'The file contains paths on this machine, so it works for others only if theirs are the same.',
  ignoreFile: ({ path }: { path: string }) =>
    `The file contains paths on this machine. Add ${path} to .gitignore.`,
  noHookFound: ({ files }: { files: readonly string[] }) => `No Inquest hook found in ${files.join(' or ')}.`,
}
