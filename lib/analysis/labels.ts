import { oneLine, cutAtWord } from '../text/visible'
import { inPrecedence, type HeldStream, type Place } from '../judge/calls/merge-streams'
import type { EventFacts } from '../model/event-facts'

/** Labels that name where the work began, and those that name what it was at when it ended. */
const FIRST_WINS = ['cwd', 'repository'] as const
const LAST_WINS = ['branch', 'model', 'version'] as const

interface Seen {
  offset: number
  value: string
  place: Place
}

/** Labels and title of an execution, collected in any order with one entry for each stream and label. */
export interface LabelCollector {
  add(place: Place, facts: EventFacts): void
  labels(): Record<string, string>
  /**
   * @param skillCommand what the orchestrator recorded as asked for; a title that was given counts above it
   * @param firstFailed the first call that failed: beside who made it, the title of a run of which nobody knows what was asked
   */
  title(skillCommand?: string, firstFailed?: string): string | null
  parent(): { key: string; callId: string | null } | null
}

const titleOf = (text: string): string => cutAtWord(oneLine(text), 200)

/** Collects `repository`, `branch`, `cwd`, `model`, `version`, the servers that were not connected, the title and the parent. */
export function collectLabels(): LabelCollector {
  const seen = new Map<HeldStream, Map<string, Seen>>()
  const note = (place: Place, name: string, value: string | null | undefined, keep: 'first' | 'last') => {
    if (value === null || value === undefined || value === '' || value === '<synthetic>') return
    let ofStream = seen.get(place.stream)
    if (!ofStream) seen.set(place.stream, (ofStream = new Map()))
    const before = ofStream.get(name)
    const wins = !before || (keep === 'first' ? place.offset < before.offset : place.offset > before.offset)
    if (wins) ofStream.set(name, { offset: place.offset, value, place })
  }
  const pick = (name: string, keep: 'first' | 'last'): string | null => {
    const found = [...seen.values()].flatMap((of) => of.get(name) ?? [])
    // The strongest channel that names it decides; among its streams the first or the last.
    found.sort((a, b) => inPrecedence(a.place, b.place))
    const channel = found[0]?.place.stream.channel
    const ofChannel = found.filter((f) => f.place.stream.channel === channel)
    return (keep === 'first' ? ofChannel[0] : ofChannel[ofChannel.length - 1])?.value ?? null
  }
  return {
    add(place, facts) {
      for (const name of FIRST_WINS) note(place, name, facts[name], 'first')
      for (const name of LAST_WINS) note(place, name, facts[name], 'last')
      note(place, 'model', facts.model ?? facts.runStart?.model, 'last')
      note(place, 'serversNotConnected', facts.runStart?.serversNotConnected.join(', '), 'last')
      note(place, 'title', facts.title, 'last')
      // A slash command names a run only when nothing else was asked.
      note(place, facts.prompt?.startsWith('/') ? 'command' : 'prompt', facts.prompt, 'first')
      note(place, 'asked', facts.asked, 'first')
      note(place, 'actor', facts.actor, 'first')
      note(place, 'process', facts.run?.command.join(' '), 'first')
      if (facts.childOf)
        note(
          place,
          facts.childOf.callId === null ? 'parent' : 'parentCall',
          JSON.stringify([facts.childOf.parentKey, facts.childOf.callId]),
          'first',
        )
    },
    labels() {
      const labels: Record<string, string> = {}
      for (const name of [...FIRST_WINS, ...LAST_WINS, 'serversNotConnected'] as const) {
        const value = pick(name, (FIRST_WINS as readonly string[]).includes(name) ? 'first' : 'last')
        if (value !== null) labels[name] = value
      }
      return labels
    },
    title(skillCommand, firstFailed) {
      const title =
        pick('title', 'last') ??
        skillCommand ??
        pick('prompt', 'first') ??
        pick('command', 'first') ??
        pick('process', 'first') ??
        pick('asked', 'first') ??
        ([pick('actor', 'first'), firstFailed].filter((part) => part != null).join(': ') || null)
      return title === null ? null : titleOf(title)
    },
    parent() {
      const text = pick('parentCall', 'first') ?? pick('parent', 'first')
      if (text === null) return null
      const [key, callId] = JSON.parse(text) as [string, string | null]
      return { key, callId }
    },
  }
}
