import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { links } from '../lib/links'
import { failedExecution, propose } from './support/fixes'
import { expect, server, test } from './support/test'

const FOLDER = join(import.meta.dirname, '../../shared/conformance/patches/hostile')
// One without a byte is refused when it is proposed.
const names = readdirSync(FOLDER).filter(
  (name) => /\.patch(?:\.gz)?$/.test(name) && statSync(join(FOLDER, name)).size > 0,
)
const read = (name: string): Buffer => {
  const bytes = readFileSync(join(FOLDER, name))
  return name.endsWith('.gz') ? gunzipSync(bytes) : bytes
}
/** Pages that are open at once. */
const AT_ONCE = 3

/** Everything by which a text would have become more than text; empty where it stayed one. */
async function escapes(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = []
    const room = document.querySelector('main')!
    for (const element of room.querySelectorAll(
      'script, img, iframe, object, embed, video, audio, link, style, base, form[action], [onclick], [onerror], [onload], a[href^="javascript" i]',
    ))
      found.push(`element ${element.outerHTML.slice(0, 80)}`)
    // Marks that change the direction of text, and controls that a terminal obeys, are drawn as signs.
    const hidden =
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/.exec(
        room.innerText,
      )
    if (hidden) found.push(`a hidden character ${hidden[0].codePointAt(0)!.toString(16)}`)
    if (document.documentElement.scrollWidth > innerWidth)
      found.push(`the page is ${document.documentElement.scrollWidth} wide`)
    for (const row of room.querySelectorAll('.fix-diff, [data-index]')) {
      const { right, left } = row.getBoundingClientRect()
      if (right > innerWidth + 1 || left < -1) found.push('a part of the diff stands outside of the page')
    }
    return found
  })
}

test('no recorded hostile patch runs anything, hides anything or leaves its box', async ({
  page,
  seed,
  request,
}) => {
  test.setTimeout(600_000)
  const execution = await failedExecution(seed)
  const troubles: string[] = []
  const waiting = [...names]
  let shown = 0
  const work = async (own: Page): Promise<void> => {
    let now = ''
    own.on('dialog', (dialog) => {
      troubles.push(`${now}: a dialog`)
      void dialog.dismiss()
    })
    own.on(
      'console',
      (message) => message.type() === 'error' && troubles.push(`${now}: ${message.text().slice(0, 200)}`),
    )
    own.on('pageerror', (error) => troubles.push(`${now}: ${error.message.slice(0, 200)}`))
    own.on(
      'request',
      (asked) =>
        void (
          asked.url().startsWith(server().url) ||
          /^(?:data|blob):/.test(asked.url()) ||
          troubles.push(`${now}: asked for ${asked.url().slice(0, 100)}`)
        ),
    )
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      now = name
      const fix = await propose(request, execution, read(name), { task: name })
      await own.goto(links.fix(fix.id))
      await expect(own.getByRole('heading', { level: 1 }), name).toBeVisible()
      // Where git finds no file in it there is nothing to draw, and the page says why.
      if (fix.reading.files > 0)
        await expect(
          own.getByRole('region', { name: 'Changes' }).getByRole('heading', { level: 3 }).first(),
          name,
        ).toBeVisible()
      else
        await expect(own.getByRole('region', { name: 'Text of the patch' }), name).toContainText(
          'git can’t read this patch',
        )
      await expect(own.locator('[aria-busy=true]'), name).toHaveCount(0)
      if ((await own.locator('.fix-diff tr').count()) > 0) shown++
      troubles.push(...(await escapes(own)).map((words) => `${name}: ${words}`))
    }
  }
  const others = await Promise.all(Array.from({ length: AT_ONCE - 1 }, () => page.context().newPage()))
  await Promise.all([page, ...others].map(work))
  expect(troubles).toEqual([])
  expect(names.length).toBeGreaterThan(45)
  // Most of them have lines that are drawn; the others are told about.
  expect(shown).toBeGreaterThan(names.length / 3)
})
