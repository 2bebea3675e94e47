import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Browser } from '@playwright/test'
import { seedHostile, type Sender } from './seed'
import { withSecondLook } from './second-look'
import { hostilePages, visit, type Visit } from './visit'
import { watchPage } from './watch'

export interface HostileResult extends Visit {
  payload: string
  width: number
}

export interface HostileOptions {
  payloads: Readonly<Record<string, string>>
  sizes: { width: number; height: number }[]
  /** Recorded patches of others go along with the first payload. */
  withPatches: boolean
  /** Pages that are open at once. */
  atOnce?: number
  say?: (line: string) => void
}

/** Seeds each payload into every field, opens every page with it, and reports the result. */
export async function runHostile(
  browser: Browser,
  sender: Sender,
  { payloads, sizes, withPatches, atOnce = 2, say = () => {} }: HostileOptions,
): Promise<HostileResult[]> {
  const results: HostileResult[] = []
  for (const [i, [payload, text]] of Object.entries(payloads).entries()) {
    const seeded = await seedHostile(sender, text, withPatches && i === 0 ? recordedPatches() : [])
    const pages = hostilePages(seeded)
    for (const size of sizes) {
      const context = await browser.newContext({ viewport: size })
      await context.addCookies(
        sender.cookie.split('; ').map((pair) => {
          const at = pair.indexOf('=')
          return { name: pair.slice(0, at), value: pair.slice(at + 1), url: sender.url }
        }),
      )
      const waiting = [...pages]
      const late: (() => Promise<void>)[] = []
      const work = async (): Promise<void> => {
        const page = await context.newPage()
        const watch = await watchPage(page, sender.url)
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          const asked = next
          const first = await visit(page, watch, sender.url, asked)
          if (first.late === null) note(first)
          else late.push(async () => note(withSecondLook(first, await visit(page, watch, sender.url, asked))))
        }
      }
      const note = (seen: Visit): void => {
        results.push({ payload, width: size.width, ...seen })
        for (const trouble of seen.troubles) say(`${payload}, ${seen.page}, ${size.width} px: ${trouble}`)
      }
      await Promise.all(Array.from({ length: atOnce }, work))
      for (const again of late) await again()
      await context.close()
    }
    say(`${payload}: ${pages.length} pages`)
  }
  return results
}

const FOLDER = resolve(import.meta.dirname, '../../../shared/conformance/patches/hostile')

/** Patches that others recorded, where they lie beside the repository. */
function recordedPatches(): Uint8Array[] {
  if (!existsSync(FOLDER)) return []
  return readdirSync(FOLDER)
    .filter((name) => /\.patch(?:\.gz)?$/.test(name) && statSync(join(FOLDER, name)).size > 0)
    .map((name) => {
      const bytes = readFileSync(join(FOLDER, name))
      return new Uint8Array(name.endsWith('.gz') ? gunzipSync(bytes) : bytes)
    })
}
