/**
 * The part of the changelog that a release says of itself: the section of its version, else what is not released yet. `null` when it has neither.
 *
 * @param changelog sections under `## 1.2.3 - date` and `## Unreleased`
 */
export function releaseNotes(changelog: string, version: string, mayBeUnreleased: boolean): string | null {
  const sections = changelog.split(/^## /m).slice(1)
  const of = (title: RegExp): string | undefined => sections.find((section) => title.test(section))
  const section = of(new RegExp(`^${version.replaceAll('.', '\\.')}(?:\\s|$)`)) ?? null
  const unreleased = mayBeUnreleased ? of(/^Unreleased\s*$/m) : undefined
  const chosen = unreleased && bodyOf(unreleased) !== '' ? unreleased : section
  return chosen === null ? null : `# Inquest ${version}\n\n${bodyOf(chosen)}\n`
}

const bodyOf = (section: string): string => section.slice(section.indexOf('\n') + 1).trim()
