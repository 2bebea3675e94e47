import type { FixFile } from '@/lib/model/fix'

const kindOf = (mode: string | null): string | null =>
  mode === null
    ? null
    : mode.startsWith('12')
      ? 'symbolic link'
      : mode.startsWith('16')
        ? 'submodule'
        : mode === '100755'
          ? 'executable'
          : mode === '100644'
            ? 'file'
            : `mode ${mode}`

const STATUS_WORDS: Record<string, string> = {
  A: 'added',
  M: 'changed',
  D: 'deleted',
  R: 'renamed',
  C: 'copied',
  T: 'type changed',
}

/** `A`, `M` … in a word; a status that a newer server knows stays itself. */
export const statusWord = (status: string): string => STATUS_WORDS[status] ?? status

/** What happens to a file beside its lines, in words, a sentence each. */
export function changeWords(file: FixFile): string[] {
  const [before, after] = [kindOf(file.oldMode), kindOf(file.newMode)]
  const words: string[] = []
  if (file.status === 'R' && file.oldName !== null)
    words.push(
      `Renamed from ${file.oldName}${file.similarity === null ? '' : `, ${file.similarity} % alike`}.`,
    )
  if (file.status === 'C' && file.oldName !== null)
    words.push(
      `Copied from ${file.oldName}${file.similarity === null ? '' : `, ${file.similarity} % alike`}.`,
    )
  const special = (kind: string | null): boolean => kind !== null && kind !== 'file'
  if (before !== null && after !== null && file.oldMode !== file.newMode)
    words.push(`Mode ${file.oldMode} (${before}) becomes ${file.newMode} (${after}).`)
  else if (file.status === 'A' && special(after))
    words.push(`New ${after}${after?.startsWith('mode') ? '' : ` (mode ${file.newMode})`}.`)
  else if (special(after ?? before))
    words.push(`It is ${/^[e]/.test((after ?? before)!) ? 'an' : 'a'} ${after ?? before}.`)
  if (after === 'symbolic link' || before === 'symbolic link')
    words.push('Its line is the target of the link.')
  if (after === 'submodule' || before === 'submodule')
    words.push('Its line is a commit of another repository.')
  if (file.binary) words.push('Binary file not shown. Download the patch to get it.')
  if (!file.binary && file.hunks === 0 && file.status === 'A') words.push('The new file is empty.')
  else if (!file.binary && file.hunks === 0 && file.status === 'D') words.push('The deleted file was empty.')
  else if (!file.binary && file.hunks === 0) words.push('No line changes.')
  return words
}

const GENERATED =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|Cargo\.lock|poetry\.lock|uv\.lock|Gemfile\.lock|composer\.lock|go\.sum)$|\.min\.(?:js|css)$|\.map$/

/** Lock and generated files are folded at first. */
export const isGenerated = (name: string): boolean => GENERATED.test(name)
