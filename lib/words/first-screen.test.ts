import { expect, test } from 'vitest'
import { attentionLabel } from './first-screen'

test.each([
  [false, 'failed', 'rerun', 'No attention needed'],
  [true, 'failed', 'rerun', 'Needs attention'],
  [true, 'failed', undefined, 'Needs attention'],
  [true, 'succeeded', 'rerun', 'Worth a look'],
  // “Needs attention” beside “No action needed” would contradict it.
  [true, 'interrupted', 'no_action_prompt', 'Worth a look'],
])('attention %s of a run that %s, next step %s: %s', (needed, outcome, next, label) => {
  expect(attentionLabel(needed, outcome, next)).toBe(label)
})
