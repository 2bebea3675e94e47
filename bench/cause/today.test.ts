import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { disagreementsOf } from './disagreements'
import { judgeSessions } from './judge-sessions'
import { hasLabels, LABELS_FOLDER, parseLabels } from './labels'
import { RESAMPLES, rowsOf } from './rows'
import type { Session } from './score'

// The first set alone: figures of docs/judgement.md stay comparable when further sets are added.
const SET = 'claude-code.jsonl'

describe.runIf(hasLabels())('judgement of the 29 labelled sessions', () => {
  let sessions: Session[]
  beforeAll(async () => {
    const judged = await judgeSessions(parseLabels(readFileSync(join(LABELS_FOLDER, SET), 'utf8'), SET))
    expect(judged.unread).toEqual([])
    sessions = judged.sessions
  })

  test('every figure is that of docs/judgement.md', () => {
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
        "headline | product | 12/21 | 57.1 (35 to 77.8) | 60 55 54.5 66.7 52.6 55",
        "headline | random failed call (expected) | 10.51/21 | 50 (37 to 64) | 47.5 47.5 59.8 50.3 52 47.5",
        "headline | first failed call | 14/21 | 66.7 (45.8 to 86.4) | 65 65 90.9 60 63.2 65",
        "headline | last failed call | 10/21 | 47.6 (26.3 to 69.2) | 45 45 54.5 46.7 52.6 45",
        "headline | longest error text | 13/21 | 61.9 (40 to 81.8) | 60 60 63.6 66.7 63.2 60",
        "headline | a refusal, else the last failed command | 13/21 | 61.9 (40.9 to 82.4) | 60 60 63.6 66.7 63.2 60",
        "false alarms | product | 8/8 | 100 (100 to 100) | 100 100 100 100 100 100",
        "false alarms | never raising | 0/8 | 0 (0 to 0) | 0 0 0 0 0 0",
        "recovered, mean recall | product | mean | 64.7 (54.9 to 74.6) | 64.7 65 63.9 65.8 63.8 65.3",
        "recovered, mean recall | always other_way | mean | 33.3 (33.3 to 33.3) | 33.3 33.3 33.3 33.3 33.3 33.3",
        "recovered, recall of same | product | 29/38 | 76.3 (57.8 to 92.9) | 76.3 76.3 87.5 73.3 71.9 77.8",
        "recovered, recall of other_way | product | 8/45 | 17.8 (0 to 45.7) | 17.8 18.6 4.3 24.1 19.5 18.2",
        "recovered, recall of no | product | 8/8 | 100 (100 to 100) | 100 100 100 100 100 100",
        "retry, either answer right | product | 60/97 | 61.9 (46.9 to 77.8) | 61.5 60.6 46.7 69.4 65.9 61.3",
        "retry, either answer right | always would_not | 88/97 | 90.7 (77.4 to 99) | 90.6 90.4 82.2 88.9 97.6 90.3",
        "retry, "won't help": precision | product | 59/59 | 100 (100 to 100) | 100 100 100 100 100 100",
        "retry, "won't help": recall | product | 59/88 | 67 (52.4 to 81.4) | 66.7 65.9 56.8 76.6 66.3 66.7",
        "retry, "would help": precision | product | 1/1 | 100 (100 to 100) | 100 100 - 100 100 100",
        "retry, "would help": recall | product | 1/9 | 11.1 (0 to 100) | 11.1 11.1 0 12.5 50 11.1",
        "retry, no answer | product | 37/97 | 38.1 (22.2 to 53.1) | 38.5 39.4 53.3 30.6 34.1 38.7",
        "kind | product | 96/98 | 98 (94.1 to 100) | 97.9 97.9 100 97.3 97.7 97.9",
        "kind | always edit_mismatch | 22/98 | 22.4 (6.4 to 38.3) | 22.7 23.2 20 19.2 25.6 22.3",
        "outcome | product | 28/29 | 96.6 (89.7 to 100) | 96.4 96.3 93.3 95.5 96.2 100",
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
        "cclog-edge_cases headline: no call",
        "codemie-196820da false alarm: toolu_bdrk_01VpZvVFCBa3k8Md89bcWUHR",
        "codemie-196820da recovered: P8QiCY=no, bcWUHR=no",
        "entire-00-c9e2351016-3 unchanged_retry: B9rFdY=no answer",
        "entire-00-c9e2351016-3 recovered: 7SuKbw=no",
        "entire-04-0b015eb1c2-0 false alarm: toolu_01VZtk7iwGtKGF7iYXs1n4iL",
        "entire-04-0b015eb1c2-0 recovered: amzvwK=other_way",
        "entire-04-0b015eb1c2-0 kind: amzvwK=other",
        "entire-28-a8bc758709-0 recovered: QpQzse=other_way",
        "entire-5c-1039ad85f4-0 false alarm: toolu_01XKPQ52aMGBAu7MJbUdp33U",
        "entire-5c-1039ad85f4-0 unchanged_retry: aYhKLf=no answer, Udp33U=no answer",
        "entire-60-1ac0eb4d69-0 recovered: 2xwWtQ=no",
        "entire-60-1ac0eb4d69-0 unchanged_retry: ismBre=no answer, meQQZJ=no answer, tgGjbu=no answer, U9Az9B=no answer",
        "entire-60-fd31fcf44f-0 false alarm: toolu_01WGYs8UbekNJUaEDd2rwDXv",
        "entire-60-fd31fcf44f-0 kind: 4zLAVE=other",
        "entire-6c-3e73767733-0 false alarm: toolu_019yeaA7EY6Gr1nnvxDXGbYE",
        "entire-6c-3e73767733-0 unchanged_retry: DXGbYE=no answer",
        "entire-7e-d4051c8a85-0 headline: toolu_01XdCR8a1SbBSvcYpZ1g76vv",
        "entire-7e-d4051c8a85-0 recovered: BVoJTV=no, uY2ngc=no, 1g76vv=no",
        "entire-89-7eb280e769-17 headline: toolu_01TALKRrYu6X6No2u1HXUWUT",
        "entire-89-7eb280e769-17 unchanged_retry: GKaq5L=no answer, tJtjvp=no answer",
        "entire-89-7eb280e769-17 recovered: HXUWUT=no, 3LRVgS=other_way",
        "entire-8e-0a64736bc7-0 headline: toolu_01Q3gZaNoXaCN77jan3pqQXQ",
        "entire-8e-0a64736bc7-0 recovered: NmS8MQ=no",
        "entire-8e-0a64736bc7-0 unchanged_retry: 3pqQXQ=no answer",
        "entire-b1-5d3b4e29e9-0 recovered: wjxK2V=same, WimzH9=same",
        "entire-bb-781d6f3a8e-0 recovered: bqkkSf=no, ghEgSF=no, vg71c8=other_way, 9T1jym=other_way, fbApiQ=same, dz7N38=same",
        "entire-bb-781d6f3a8e-0 unchanged_retry: Ym25Wu=no answer, 2W9Ss6=no answer",
        "entire-d8-7ee3bab4de-0 headline: toolu_0198oEsMHoDbGDG7XiSboHPN",
        "entire-d8-7ee3bab4de-0 recovered: X2hYqr=same, JCY2cf=no, SboHPN=no, TX2wZB=no",
        "erk-34f7bf16 headline: toolu_01Ro6dsMbAzJpaLMWjsgLfVA",
        "erk-34f7bf16 recovered: k4r6DT=no",
        "erk-393e5f27 false alarm: toolu_012NsUmYzNDmBF48ownfbMgh",
        "erk-393e5f27 recovered: 3RPBpp=no",
        "erk-b2c8258b headline: toolu_01L316oqw1gG1j7SQSmduQgJ",
        "erk-b2c8258b unchanged_retry: Q4Lour=no answer, 84udSV=no answer",
        "erk-b2c8258b recovered: 75Tqgf=no",
        "erk-beddc0be headline: toolu_01G7SKPnAX12xLKWtWCakkNB",
        "erk-beddc0be unchanged_retry: 2T4vtk=no answer, ck1msF=no answer, x7ax6x=no answer, 6VdRyc=no answer",
        "erk-beddc0be recovered: HYYo6F=no",
        "erk-ca5cc495 recovered: LQfoAn=no, mdjQTu=no, wC89ej=no, h4q5Vg=no, Q4sYHY=no, RDVKuN=no, bZahjr=no, r1nesJ=no, LcH3zA=no, vScxdU=no, 8p7J4c=no",
        "erk-ca5cc495 unchanged_retry: wC89ej=no answer, h4q5Vg=no answer, Q4sYHY=no answer, RDVKuN=no answer, bZahjr=no answer, r1nesJ=no answer, LcH3zA=no answer, vScxdU=no answer",
        "erk-db9a1ecf headline: toolu_01D7mXm3otyUiGRdHMdCRUQ7",
        "erk-db9a1ecf unchanged_retry: E7RPaa=no answer",
        "erk-db9a1ecf recovered: dCRUQ7=other_way",
        "spotter-agent-a2898e3 recovered: esUMzm=no, uihf8y=no",
        "spotter-agent-a2898e3 unchanged_retry: bSTtUE=no answer, uihf8y=no answer, 558Eus=no answer, t7mzaY=no answer, Sg7vvw=no answer, uotC3Q=no answer, L4y9q6=no answer",
        "spotter-agent-a7be2f0 false alarm: toolu_01BpA1vfwwr5xWYsSu8M8H3T",
        "spotter-agent-a7be2f0 recovered: 8M8H3T=no, afNuA5=no",
        "spotter-agent-a7be2f0 unchanged_retry: afNuA5=no answer",
        "viewer-1af7fc5e outcome: succeeded",
        "viewer-5c0375b4 false alarm: toolu_019ctBEHhLKehUi4xPDkYwvc",
        "viewer-5c0375b4 recovered: d3p6jV=no, DkYwvc=other_way",
        "viewer-5c0375b4 unchanged_retry: DkYwvc=no answer",
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
    ).toEqual(['claude-code/cclog-edge_cases.jsonl'])
  })
})
