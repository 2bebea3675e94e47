import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { recordedContent } from '@/lib/judge/decisions/recorded-content'
import { contentStatesOf } from '@/lib/model/content-states'
import { readCases } from './read-cases'

interface Case {
  id: string
  expected: {
    skill_result: { success: boolean; subtype: string; cli_subtype: string } | null
    content_state: string | null
    adjudicated_session: { is_error: boolean | null } | null
  }
}

const recorded = resolve(import.meta.dirname, '../../../shared/conformance/content-state/e2e.jsonl')

// The recorded cases are not part of the repository.
if (existsSync(recorded))
  test('what a log tells of the content never leaves out the state that the source gave', () => {
    let known = 0
    for (const { id, expected } of readCases<Case>(recorded)) {
      const { skill_result: result, content_state: state, adjudicated_session: session } = expected
      if (!result || state === null) continue
      const log = { success: result.success, subtype: result.subtype, cliSubtype: result.cli_subtype }
      for (const isError of [null, session?.is_error ?? null]) {
        const word = recordedContent({ ...log, isError })
        if (word === 'unknown') continue
        expect(contentStatesOf(word), id).toContain(state)
        known++
      }
    }
    expect(known).toBeGreaterThan(200)
  })
