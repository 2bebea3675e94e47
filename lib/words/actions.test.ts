import { expect, test } from 'vitest'
import { ACTIONS, type Action } from '@/lib/auth/permissions'
import { refusedAction } from './actions'

test('the sentences on what a role or a key may not do', () => {
  expect(
    (Object.keys(ACTIONS) as Action[]).map((action) => [
      refusedAction(action, 'person'),
      refusedAction(action, 'key'),
    ]),
  ).toMatchInlineSnapshot(`
    [
      [
        "Reading requires the role viewer in the project.",
        "Reading requires a key with the scope read.",
      ],
      [
        "Reading a CI run requires the role viewer in the project.",
        "Reading a CI run requires a key with the scope read or ingest.",
      ],
      [
        "Sending data requires the role operator in the project.",
        "Sending data requires a key with the scope ingest.",
      ],
      [
        "Loading the sample data requires the role operator in the project.",
        "Loading the sample data requires a key with the scope ingest.",
      ],
      [
        "Proposing fixes requires the role operator in the project.",
        "Proposing fixes requires a key with the scope ingest or write.",
      ],
      [
        "Commenting on fixes requires the role operator in the project.",
        "Commenting on fixes requires a key with the scope write.",
      ],
      [
        "Correcting causes requires the role operator in the project.",
        "Correcting causes requires a key with the scope write.",
      ],
      [
        "Checking whether a fix applies requires the role operator in the project.",
        "Checking whether a fix applies requires a key with the scope write.",
      ],
      [
        "Checking parity requires the role operator in the project.",
        "Checking parity requires a key with the scope write.",
      ],
      [
        "Reviewing fixes requires the role reviewer in the project.",
        "API keys can’t review fixes. Sign in.",
      ],
      [
        "Rebuilding a project requires the role admin in the project.",
        "Rebuilding a project requires a key with the scope write.",
      ],
      [
        "Managing sources requires the role admin in the project.",
        "API keys can’t manage sources. Sign in.",
      ],
      [
        "Managing mirrors requires the role admin in the project.",
        "API keys can’t manage mirrors. Sign in.",
      ],
      [
        "Managing keys requires the role admin in the project.",
        "API keys can’t manage keys. Sign in.",
      ],
      [
        "Managing people requires the role admin in the project.",
        "API keys can’t manage people. Sign in.",
      ],
    ]
  `)
})
