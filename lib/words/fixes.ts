import type { FitTroubleKind, NotChecked, NotLooked, SuggestRefusal } from '../model/fits'
import type { MirrorTroubles } from '../model/messages/mirrors'
import type { Catalogue } from './catalogue'

/** Why no check was made of whether a patch applies. */
export const NOT_CHECKED_WORDS: Record<NotChecked, string> = {
  'mirrors-off': 'This server has no mirrors. Its operator can set INQUEST_MIRRORS.',
  'no-mirror': 'This repository has no mirror. An admin can add one under Settings > Sources.',
  'no-repository': 'The fix has no repository, and there is no mirror for such fixes.',
  never: 'Not checked yet.',
  unsafe: 'The patch has a blocking flag, so it was not checked with git.',
  refused: 'git can’t read this patch.',
  grows: 'The patch decompresses to too many bytes, so it was not checked with git.',
  'no-git': 'git is not installed on the server.',
  'mirror-gone': 'The mirror is no longer available.',
  'objects-missing': 'The mirror is incomplete: files of this commit are missing.',
  'over-time': 'The check timed out.',
  damaged: 'The stored patch doesn’t match its digest.',
  failed: 'git could not run the check.',
}

/** Why a reported application was not looked for. */
export const NOT_LOOKED_WORDS: Record<NotLooked, string> = {
  ...NOT_CHECKED_WORDS,
  'commit-missing': 'The mirror doesn’t have the reported commit. It may be out of date.',
  'no-commit': 'The report has no commit, and the mirror has no such branch.',
  'no-promise':
    'The expected files are unknown: the patch did not apply to its base in the mirror, and its index lines have no full blob IDs.',
}

/** What is wrong with a file or a hunk. */
export const FIT_TROUBLE_WORDS: Record<FitTroubleKind, string> = {
  hunk: 'The lines it changes are missing or different.',
  'file-missing': 'The file does not exist.',
  'file-exists': 'The file already exists.',
  'binary-differs': 'The binary file is different from the expected one.',
  'beyond-link': 'Its path contains a symbolic link.',
  'wrong-type': 'There is something other than a file at this path.',
  other: 'git rejected it.',
}

/** Why a suggested edit makes no patch, for the person who made it. */
export const SUGGEST_REFUSAL_WORDS: Record<SuggestRefusal, string> = {
  unreadable: 'git can’t read this patch, so it can’t be edited.',
  'no-such-file': 'The patch has no such file.',
  binary: 'Binary files can’t be edited.',
  'file-twice': 'The patch changes this file more than once, so line numbers are ambiguous.',
  'no-such-lines': 'Select lines of the new file within one hunk.',
  'not-text': 'A line can’t be edited as text: it is not UTF-8 or contains a carriage return.',
  same: 'The lines are unchanged.',
  'nothing-left': 'This would remove the whole hunk. Request changes instead.',
  'last-line': 'git needs the unchanged line at the end of the hunk. Keep it, and add nothing after it.',
  'bad-numbers': 'The line numbers of this file’s hunks can’t be corrected.',
  'too-large': 'The patch would be too large.',
}

/** Why a folder is not taken as a mirror, or a mirror cannot be used now. */
export const MIRROR_TROUBLE_WORDS: Catalogue<MirrorTroubles> = {
  outside: () => 'It is outside the folder for mirrors set by the operator of this server.',
  gone: () => 'Not found in the folder for mirrors.',
  not_a_repository: () => 'Not a git repository: neither bare nor with a .git folder.',
  linked_tree: () => 'It is a linked work tree or submodule. Name the repository it belongs to.',
  borrows_outside: () => 'It uses objects of a repository outside the folder for mirrors.',
  not_checked: ({ why }) => NOT_CHECKED_WORDS[why],
  no_such_branch: ({ branch, branches, more }) =>
    `${branch === null ? 'No branch is checked out' : `It has no branch “${branch}”`}${
      branches.length === 0 ? ', nor any other' : `; it has ${branches.join(', ')}${more ? ', …' : ''}`
    }.`,
  branch_gone: ({ branch }) => `It has no branch “${branch}” any more.`,
}
