import { expect, test } from 'vitest'
import { fetchWords, KEY_WORDS, PROBLEM_WORDS, STATE_WORDS } from './diagnosis'

test('what became of a diagnosis, what its values are called, and what is wrong with them', () =>
  expect({ states: STATE_WORDS, keys: KEY_WORDS, problems: PROBLEM_WORDS }).toMatchInlineSnapshot(`
    {
      "keys": {
        "category": "Category",
        "confidence": "Confidence",
        "root_cause": "Root cause",
        "source": "Source",
        "suggested_action": "Suggested action",
      },
      "problems": {
        "category_not_in_set": {
          "key": "category",
          "words": "not one of transient_5xx, auth, rate_limit, bad_request, tool_error, infra, unknown; grouped as unknown",
        },
        "confidence_not_a_number": {
          "key": "confidence",
          "words": "not a number",
        },
        "confidence_out_of_range": {
          "key": "confidence",
          "words": "outside 0 to 1; shown as is",
        },
        "missing_keys": {
          "key": null,
          "words": "Required keys are missing",
        },
        "not_an_object": {
          "key": null,
          "words": "Not an object",
        },
        "root_cause_empty": {
          "key": "root_cause",
          "words": "empty",
        },
        "root_cause_not_a_string": {
          "key": "root_cause",
          "words": "not a string",
        },
        "source_not_in_set": {
          "key": "source",
          "words": "not one of ollama, openai, claude, remote, vertex-ai, vertex-stub",
        },
        "suggested_action_empty": {
          "key": "suggested_action",
          "words": "empty",
        },
        "suggested_action_not_a_string": {
          "key": "suggested_action",
          "words": "not a string",
        },
      },
      "states": {
        "attached": {
          "means": "The agent’s rows contain a complete diagnosis. It was written by a model and may be wrong.",
          "name": "Attached",
          "next": "Check it against the first failing event before acting.",
        },
        "attempted_nothing_attached": {
          "means": "A diagnosis run was started, but no diagnosis was saved in the agent’s rows. The engine does not log such failures.",
          "name": "Attempted, not attached",
          "next": "Open the diagnosis run to see where it failed.",
        },
        "handle_only": {
          "means": "Only the ID of the diagnosis run was stored. The engine did not wait for its result.",
          "name": "Run ID only",
          "next": "Open that run to see the diagnosis, if it produced one.",
        },
        "incomplete": {
          "means": "The stored value lacks keys of a diagnosis. It is shown as is.",
          "name": "Incomplete",
          "next": "Treat it as a hint, and check the first failing event. The diagnosis run may have the rest.",
        },
        "none_requested": {
          "means": "The rows contain no diagnosis, and no diagnosis run is known.",
          "name": "None requested",
          "next": "Check the first failing event. To get a diagnosis next time, set on_failure.troubleshoot on the step. If a diagnosis run exists, import it.",
        },
        "running": {
          "means": "The diagnosis run has not ended yet.",
          "name": "Running",
          "next": "Wait for it, or import it again. Meanwhile, check the first failing event.",
        },
      },
    }
  `))

test('how a diagnosis was fetched', () => {
  const all = { pollCount: '1', elapsedSeconds: '0.064', deadlineSeconds: '60.0', hitDeadline: false }
  expect(
    [
      all,
      { ...all, pollCount: '3', hitDeadline: true },
      { ...all, pollCount: null, elapsedSeconds: null },
      { pollCount: null, elapsedSeconds: null, deadlineSeconds: null, hitDeadline: true },
    ].map(fetchWords),
  ).toMatchInlineSnapshot(`
    [
      "Fetched on the first poll after 0.064 s of at most 60.0 s; deadline not reached.",
      "Fetched in 3 polls after 0.064 s of at most 60.0 s; deadline reached.",
      "Fetched, at most 60.0 s; deadline not reached.",
      "Fetched; deadline reached.",
    ]
  `)
})
