import { expect, test } from 'vitest'
import { FIT_TROUBLES, NOT_CHECKED, NOT_LOOKED, SUGGEST_REFUSALS } from '../model/fits'
import type { MirrorTroubles } from '../model/messages/mirrors'
import { APPLY_NOTE_WORDS, APPLY_STEP_WORDS } from './apply'
import { NOT_EDITABLE_WORDS } from './selected-lines'
import { DIRTY_DIGEST_NAME, OWNS_KEY, TRIGGER_WORDS } from './provenance'
import {
  FIT_TROUBLE_WORDS,
  MIRROR_TROUBLE_WORDS,
  NOT_CHECKED_WORDS,
  NOT_LOOKED_WORDS,
  SUGGEST_REFUSAL_WORDS,
} from './fixes'
import { wordedSamples, type Samples } from './samples.support'

const NONE = [{}]
const TROUBLES: Samples<MirrorTroubles> = {
  outside: NONE,
  gone: NONE,
  not_a_repository: NONE,
  linked_tree: NONE,
  borrows_outside: NONE,
  not_checked: [{ why: 'over-time' }],
  no_such_branch: [
    { branch: 'dev', branches: ['main'], more: false },
    { branch: 'dev', branches: ['main', 'next'], more: true },
    { branch: null, branches: [], more: false },
  ],
  branch_gone: [{ branch: 'main' }],
}

test.each([
  ['checks that were not made', NOT_CHECKED_WORDS, NOT_CHECKED],
  ['applications that were not looked for', NOT_LOOKED_WORDS, [...NOT_CHECKED, ...NOT_LOOKED]],
  ['what does not fit', FIT_TROUBLE_WORDS, FIT_TROUBLES],
  ['suggestions that make no patch', SUGGEST_REFUSAL_WORDS, SUGGEST_REFUSALS],
])('%s: each has a sentence of its own', (_, words, ids) => {
  expect(Object.keys(words)).toEqual(ids)
  const sentences = Object.values(words)
  expect(new Set(sentences).size).toBe(sentences.length)
  for (const sentence of sentences) expect(sentence).toMatch(/^(?:[A-Z]|git ).*\.$/)
  expect(words).toMatchSnapshot()
})

test('why a folder is not taken as a mirror', () =>
  expect(wordedSamples(MIRROR_TROUBLE_WORDS, TROUBLES)).toMatchInlineSnapshot(`
    {
      "borrows_outside": [
        "It uses objects of a repository outside the folder for mirrors.",
      ],
      "branch_gone": [
        "It has no branch “main” any more.",
      ],
      "gone": [
        "Not found in the folder for mirrors.",
      ],
      "linked_tree": [
        "It is a linked work tree or submodule. Name the repository it belongs to.",
      ],
      "no_such_branch": [
        "It has no branch “dev”; it has main.",
        "It has no branch “dev”; it has main, next, ….",
        "No branch is checked out, nor any other.",
      ],
      "not_a_repository": [
        "Not a git repository: neither bare nor with a .git folder.",
      ],
      "not_checked": [
        "The check timed out.",
      ],
      "outside": [
        "It is outside the folder for mirrors set by the operator of this server.",
      ],
    }
  `))

test.each([
  ['steps of applying a patch', { ...APPLY_STEP_WORDS, ...APPLY_NOTE_WORDS }],
  ['lines that cannot be edited', NOT_EDITABLE_WORDS],
  ['provenance', { ...TRIGGER_WORDS, dirtyDigest: DIRTY_DIGEST_NAME, ownsKey: OWNS_KEY }],
])('%s', (_, words) => expect(words).toMatchSnapshot())
