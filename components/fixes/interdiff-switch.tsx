'use client'

import { parseAsString, useQueryState } from 'nuqs'
import { earlierVersions } from '@/lib/views/fixes/since-version'
import { VisibleText } from '../shared/visible-text'
import { say } from '../shell/announcer'
import { choice } from './diff-options'
import type { FixDetail } from '@/lib/model/fix'

/** Which changes are shown: all of them, or those since an earlier version, which the address names by its number. */
export function useInterdiff(fix: FixDetail) {
  const [value, setValue] = useQueryState('since', parseAsString)
  const earlier = earlierVersions(fix)
  const since = earlier.find(({ ordinal }) => String(ordinal) === value) ?? null
  const choose = (ordinal: number | null): void => void setValue(ordinal === null ? null : String(ordinal))
  const toggle = (): void => {
    if (earlier[0] === undefined) return say('This is the first version')
    choose(since === null ? earlier[0].ordinal : null)
    say(since === null ? `Changes since version ${earlier[0].ordinal}` : 'All changes')
  }
  return { earlier, since, choose, toggle, unknown: value !== null && since === null ? value : null }
}

/** All changes, or those since a version. Nothing for a first version. */
export function InterdiffSwitch({
  earlier,
  since,
  choose,
  unknown,
}: Omit<ReturnType<typeof useInterdiff>, 'toggle'>) {
  const shown = since ?? earlier[0]
  const note =
    unknown === null ? null : (
      <span className="text-sm text-warn">
        No earlier version <VisibleText text={unknown} />: all changes are shown.
      </span>
    )
  if (shown === undefined) return note
  return (
    <span role="group" aria-label="Changes shown" className="flex flex-wrap gap-1 max-md:basis-full">
      <button
        type="button"
        aria-pressed={since === null}
        onClick={() => choose(null)}
        title="All changes, or those since a version (=)"
        className={choice(since === null)}
      >
        All changes
      </button>
      <button
        type="button"
        aria-pressed={since !== null}
        onClick={() => choose(shown.ordinal)}
        title="All changes, or those since a version (=)"
        className={choice(since !== null)}
      >
        Since version {shown.ordinal}
      </button>
      {earlier.length > 1 && (
        <select
          aria-label="Since which version"
          value={since?.ordinal ?? ''}
          onChange={(event) => choose(event.target.value === '' ? null : Number(event.target.value))}
          className="h-7 rounded border border-control bg-surface px-1 text-sm"
        >
          <option value="">other version</option>
          {earlier.map(({ ordinal }) => (
            <option key={ordinal} value={ordinal}>
              version {ordinal}
            </option>
          ))}
        </select>
      )}
      {note}
    </span>
  )
}
