import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { disagreementsOf } from './disagreements'
import { judgeSessions } from './judge-sessions'
import { hasLabels, LABELS_FOLDER, parseLabels } from './labels'
import { RESAMPLES, rowsOf } from './rows'
import type { Session } from './score'

// The first set alone: figures of docs/cause-accuracy.md stay comparable when further sets are added.
const SET = 'claude-code.jsonl'

describe.runIf(hasLabels())('judgement of the 29 labelled sessions', () => {
  let sessions: Session[]
  beforeAll(async () => {
    const judged = await judgeSessions(parseLabels(readFileSync(join(LABELS_FOLDER, SET), 'utf8'), SET))
    expect(judged.unread).toEqual([])
    sessions = judged.sessions
  })

  test('every figure is that of docs/cause-accuracy.md', () => {
    const lines = rowsOf(sessions, RESAMPLES).map(
      ({ figure, by, right, of, '%': share, 'from %': from, 'to %': to, ...without }) => {
        const count = right === null ? 'mean' : `${right}/${of}`
        return [
          figure,
          by,
          count,
          `${share} (${from} to ${to})`,
          Object.values(without)
            .map((one) => one ?? '-')
            .join(' '),
        ].join(' | ')
      },
    )
    expect(lines).toMatchInlineSnapshot(`
      [
        "headline | product | 21/21 | 100 (100 to 100) | 100 100 100 100 100 100",
        "headline | random failed call (expected) | 10.51/21 | 50 (37 to 64) | 47.5 47.5 59.8 50.3 52 47.5",
        "headline | first failed call | 14/21 | 66.7 (45.8 to 86.4) | 65 65 90.9 60 63.2 65",
        "headline | last failed call | 10/21 | 47.6 (26.3 to 69.2) | 45 45 54.5 46.7 52.6 45",
        "headline | longest error text | 13/21 | 61.9 (40 to 81.8) | 60 60 63.6 66.7 63.2 60",
        "headline | a refusal, else the last failed command | 13/21 | 61.9 (40.9 to 82.4) | 60 60 63.6 66.7 63.2 60",
        "false alarms | product | 0/8 | 0 (0 to 0) | 0 0 0 0 0 0",
        "false alarms | never raising | 0/8 | 0 (0 to 0) | 0 0 0 0 0 0",
        "recovered, mean recall | product | mean | 98.5 (95.2 to 100) | 98.5 98.4 98.6 98.9 98.4 98.5",
        "recovered, mean recall | always other_way | mean | 33.3 (33.3 to 33.3) | 33.3 33.3 33.3 33.3 33.3 33.3",
        "recovered, recall of same | product | 38/38 | 100 (100 to 100) | 100 100 100 100 100 100",
        "recovered, recall of other_way | product | 43/45 | 95.6 (85.7 to 100) | 95.6 95.3 95.7 96.6 95.1 95.5",
        "recovered, recall of no | product | 8/8 | 100 (100 to 100) | 100 100 100 100 100 100",
        "retry, either answer right | product | 89/97 | 91.8 (83.3 to 98.1) | 91.7 91.5 88.9 93.1 92.9 91.4",
        "retry, either answer right | always would_not | 88/97 | 90.7 (77.4 to 99) | 90.6 90.4 82.2 88.9 97.6 90.3",
        "retry, "won't help": precision | product | 82/82 | 100 (100 to 100) | 100 100 100 100 100 100",
        "retry, "won't help": recall | product | 82/88 | 93.2 (85.2 to 98.9) | 93.1 92.9 91.9 93.8 94 92.9",
        "retry, "would help": precision | product | 7/7 | 100 (100 to 100) | 100 100 100 100 100 100",
        "retry, "would help": recall | product | 7/9 | 77.8 (0 to 100) | 77.8 77.8 75 87.5 50 77.8",
        "retry, no answer | product | 8/97 | 8.2 (1.9 to 16.7) | 8.3 8.5 11.1 6.9 7.1 8.6",
        "kind | product | 96/98 | 98 (94.1 to 100) | 97.9 97.9 100 97.3 97.7 97.9",
        "kind | always edit_mismatch | 22/98 | 22.4 (6.4 to 38.3) | 22.7 23.2 20 19.2 25.6 22.3",
        "outcome | product | 27/29 | 93.1 (82.8 to 100) | 92.9 96.3 86.7 90.9 92.3 96.3",
        "outcome | always succeeded | 21/29 | 72.4 (55.2 to 86.2) | 75 70.4 53.3 81.8 73.1 74.1",
      ]
    `)
  })

  test('the disagreements are those of today, call by call', () => {
    const lists = new Map<string, string[]>()
    for (const { session, about, call, product } of disagreementsOf(sessions)) {
      const key = `${session.slice(session.indexOf('/') + 1, -'.jsonl'.length)} ${about}`
      const answer = product.replace(/ \(.*/, '')
      lists.set(key, [...(lists.get(key) ?? []), call === '' ? answer : `${call.slice(-6)}=${answer}`])
    }
    expect([...lists].map(([key, answers]) => `${key}: ${answers.join(', ')}`)).toMatchInlineSnapshot(`
      [
        "codemie-196820da outcome: open",
        "entire-04-0b015eb1c2-0 kind: amzvwK=other",
        "entire-60-1ac0eb4d69-0 unchanged_retry: meQQZJ=no answer, U9Az9B=no answer",
        "entire-60-fd31fcf44f-0 kind: 4zLAVE=other",
        "entire-8e-0a64736bc7-0 recovered: NmS8MQ=no",
        "entire-8e-0a64736bc7-0 unchanged_retry: 3pqQXQ=no answer",
        "erk-beddc0be unchanged_retry: ck1msF=no answer, x7ax6x=no answer, 6VdRyc=no answer",
        "erk-db9a1ecf recovered: 4Stkjp=same",
        "spotter-agent-a2898e3 unchanged_retry: uihf8y=no answer",
        "spotter-agent-a7be2f0 unchanged_retry: afNuA5=no answer",
        "viewer-1af7fc5e outcome: succeeded",
      ]
    `)
  })

  test('the labelled calls are the failed calls of the product, and no other', () => {
    for (const { file, readings, answer } of sessions) {
      const labelled = new Set(readings.flatMap(({ calls }) => [...calls.keys()]))
      expect(answer.failed.map(({ id }) => id).sort(), file).toEqual([...labelled].sort())
    }
  })

  test('every cause points at a call, but for a session that ends on an unanswered prompt', () => {
    expect(
      sessions.filter(({ answer }) => answer.raises && answer.causeCallId === null).map(({ file }) => file),
    ).toEqual([])
  })
})
