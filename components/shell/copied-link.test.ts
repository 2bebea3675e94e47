import { expect, test } from 'vitest'
import { copiedLink } from './copied-link'

const here = 'http://127.0.0.1:4790'
const one = [{ slug: 'shop' }]
const two = [{ slug: 'shop' }, { slug: 'depot' }]

test.each([
  ['/executions', one, '/executions?project=shop'],
  ['/executions?q=outcome%3Afailed', one, '/executions?q=outcome%3Afailed&project=shop'],
  ['/executions?q=outcome:failed#x', one, '/executions?q=outcome:failed&project=shop#x'],
  ['/executions?project=depot', two, '/executions?project=depot'],
  ['/executions?project=depot', one, '/executions?project=depot'],
  ['/executions?q=x', two, '/executions?q=x'],
  ['/executions/0199?view=raw#/a', one, '/executions/0199?view=raw#/a'],
  ['/policies?to=pr-415', one, '/policies?to=pr-415&project=shop'],
  ['/settings/keys', one, '/settings/keys'],
])('%s is copied with the project it is about', (path, projects, want) =>
  expect(copiedLink(here + path, projects)).toBe(here + want),
)
