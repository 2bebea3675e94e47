import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from '@playwright/test'

// The headless shell first, as Playwright does: the same engine without a browser's own windows to draw.
const HEADLESS_SHELL = 'chromium-headless-shell'
const SYSTEM_NAMES = [HEADLESS_SHELL, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const SYSTEM_PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The Chromium that is there: `PLAYWRIGHT_CHROMIUM`, Playwright's download, the system's; null when there is none. */
export function findBrowser(): string | null {
  const named = process.env.PLAYWRIGHT_CHROMIUM
  if (named !== undefined && named !== '' && isExecutable(named)) return named
  const downloaded = chromium.executablePath()
  if (downloaded !== '' && existsSync(downloaded)) return downloaded
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of SYSTEM_NAMES) if (isExecutable(join(folder, name))) return join(folder, name)
  }
  return SYSTEM_PLACES.find(isExecutable) ?? null
}

const run = (command: string, args: string[], timeoutMs: number): boolean =>
  spawnSync(command, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: timeoutMs,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  }).status === 0

/** Finds a Chromium or installs one; null (after saying in one line what to install) when neither works. */
export function ensureBrowser(): string | null {
  const found = findBrowser()
  if (found !== null) return found
  console.log('No Chromium found; installing one.')
  run('npx', ['playwright', 'install', 'chromium'], 180_000)
  if (findBrowser() === null && isExecutable('/usr/bin/apt-get')) {
    const apt = process.getuid?.() === 0 ? ['apt-get'] : ['sudo', '-n', 'apt-get']
    run(apt[0]!, [...apt.slice(1), 'update', '-q'], 300_000)
    const install = [...apt.slice(1), 'install', '-y', '-q', '--no-install-recommends']
    if (!run(apt[0]!, [...install, HEADLESS_SHELL], 900_000)) run(apt[0]!, [...install, 'chromium'], 900_000)
  }
  const installed = findBrowser()
  if (installed === null)
    console.error(
      'Browser tests need Chromium: install the package "chromium", or set PLAYWRIGHT_CHROMIUM to one.',
    )
  return installed
}
