import { oneLine } from '../../text/visible'

/** What the commands `inquest fix` print. */
export const fixText = {
  notAFixId: ({ id }: { id: string }) =>
    `“${oneLine(id)}” is not a fix ID. Copy the ID from the page of the fix.`,
  digestMismatch: ({ bytes, digest, sha256 }: { bytes: number; digest: string; sha256: string }) =>
    `Digest mismatch: received ${bytes} bytes with SHA-256 ${digest}, expected ${sha256}. Nothing was written.`,

  branchMoved: ', but the branch has moved since',
  branchDeleted: ', but the branch was deleted since',
  mirrorChanged: ', but the mirror has changed since',
  mirrorUnavailable: ', but the mirror is unavailable now',

  gitNotRun: ({ reason }: { reason: string }) =>
    `Could not run git: ${reason}. git is required to apply a patch.`,

  unreadablePatch: ({ problem }: { problem: null | string }) =>
    `git can't read this patch: ${problem ?? 'unreadable patch'}`,
  unsafePatch: ({ blocking }: { blocking: readonly string[] }) =>
    `This patch is not safe to apply: ${blocking.join(', ')}. See its page for the lines.`,
  fixClosed: ({ state, supersededBy }: { state: string; supersededBy: null | string }) =>
    `This fix is ${state}${supersededBy === null ? '' : `, by ${supersededBy}`}. Use --anyway to apply it anyway.`,
  patchDoesNotFit: 'The patch does not fit this tree; nothing was changed:',
  gitFailed: 'git failed although the check passed. Run `git status` to see what changed:',
  notInRepository: 'Not in a git repository with files. Run this in the repository that the fix is for.',
  filesHaveChanges: 'The patch touches files with uncommitted changes:',
  treeHasChanges: 'The tree has uncommitted changes. Commit or stash them first:',
  overwritesUntracked: 'The patch would overwrite untracked files:',
  notApproved: ({ state }: { state: string }) =>
    `This fix is not approved yet. State: ${state.replace('_', ' ')}.`,
  nothingCommitted: ({ page }: { page: string }) =>
    `Nothing was committed. Review it with \`git diff --cached\`, run the failing check, and report on ${page}`,

  outputAndJson: "--output - and --json can't both write to stdout.",
  notWritten: ({ path, reason }: { path: string; reason: string }) =>
    `${path} could not be written: ${reason}.`,
  fileExists: ({ path }: { path: string }) =>
    `${path} already exists with different content and was not overwritten. Choose another file with --output.`,

  unreadableFile: ({ problem }: { problem: null | string }) =>
    `git can't read it: ${problem ?? 'unreadable patch'}`,
  unreadable: ({ path, reason }: { path: string; reason: string }) => `${path} could not be read: ${reason}.`,
}
