import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { CiWaiting } from './ci-waiting'

const pageOf = ({ provider = 'github', waited = 0, knownProvider = true }): string => {
  const address = { provider, path: 'acme/shop', run: '1', attempt: null, unread: null }
  const since = new Date(Date.now() - waited * 1000).toISOString()
  const html = renderToStaticMarkup(
    <CiWaiting
      address={address}
      attempts={[]}
      knownProvider={knownProvider}
      since={since}
      error={null}
      onRetry={() => undefined}
    />,
  )
  return html.replace(/<[^>]+>/g, '').replace(/\s+/g, ' ')
}

test('a provider by whose name nothing is known is told, with those that are, beside the waiting', () => {
  const text = pageOf({ provider: 'githb', knownProvider: false })
  expect(text).toContain('Unknown provider “githb”.')
  expect(text).toContain(
    'Known providers: GitHub Actions (github), GitLab CI (gitlab), Buildkite (buildkite), Jenkins (jenkins) and CircleCI (circleci).',
  )
  expect(text).toContain('Waiting since')
  expect(pageOf({})).not.toContain('Unknown provider')
})

test('what to check is told after a while, and not before', () => {
  expect(pageOf({ waited: 60 })).not.toContain('What to check')
  const text = pageOf({ waited: 130 })
  for (const words of ['What to check', 'inquest doctor', 'inquest record']) expect(text).toContain(words)
})
