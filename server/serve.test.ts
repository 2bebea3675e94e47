import { afterEach, beforeEach, expect, test } from 'vitest'
import { listen, type Listener } from './serve'

let listener: Listener
let url: string
beforeEach(async () => {
  listener = await listen('127.0.0.1', 0)
  url = `http://127.0.0.1:${listener.port}/executions?q=x`
})
afterEach(() => listener.close())

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

test('a browser that comes before the pages can answer reads what is being done, and is led on by itself', async () => {
  listener.doing('building the pages: compiling')
  const early = await fetch(url, { headers: BROWSER })
  expect(early.status).toBe(503)
  expect(early.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(early.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/)
  const html = await early.text()
  expect(html).toContain('It is building the pages: compiling')
  expect(html).toContain('<meta http-equiv="refresh" content="2">')
  // It needs nothing else: no script, no file.
  expect(html).not.toMatch(/<script|src=|href=|url\(/)
  listener.open((_request, response) => void response.end('the page'))
  expect(await (await fetch(url, { headers: BROWSER })).text()).toBe('the page')
})

test.each([
  ['a program', { headers: { accept: 'application/json' } }],
  ['a request that says nothing of what it takes', {}],
  ['what is sent', { method: 'POST', body: '{}', headers: BROWSER }],
])('%s hears a problem document', async (_who, init) => {
  const early = await fetch(url, init)
  expect([early.status, early.headers.get('content-type'), early.headers.get('retry-after')]).toEqual([
    503,
    'application/problem+json',
    '2',
  ])
  expect(await early.json()).toEqual({
    type: '/problems/store-down',
    title: 'The server is starting',
    status: 503,
    detail: 'It is starting the database.',
  })
})
