import { readdirSync } from 'node:fs'
import path from 'node:path'
import config from '../../../next.config.mjs'

const app = path.resolve(import.meta.dirname, '../../../app')

export interface MatchedRoute {
  file: string
  isPage: boolean
  params: Record<string, string | string[]>
}

interface Route {
  file: string
  isPage: boolean
  names: { name: string; isRest: boolean }[]
  pattern: RegExp
  /** A literal segment is preferred to a parameter, and that to the rest of a path. */
  rank: string
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

function routeOf(file: string): Route {
  const segments = path
    .dirname(file)
    .split(path.sep)
    .filter((segment) => segment !== '.')
  const names: Route['names'] = []
  let rank = ''
  const parts = segments.map((segment) => {
    const found = /^\[(\.\.\.)?(\w+)\]$/.exec(segment)
    rank += found === null ? '0' : found[1] === undefined ? '1' : '2'
    if (found === null) return escaped(segment)
    names.push({ name: found[2]!, isRest: found[1] !== undefined })
    return found[1] === undefined ? '([^/]+)' : '(.+)'
  })
  const pattern = new RegExp(`^/${parts.join('/')}$`)
  return { file: path.join(app, file), isPage: path.basename(file) === 'page.tsx', names, pattern, rank }
}

const routes: Route[] = readdirSync(app, { recursive: true, encoding: 'utf8' })
  .filter((file) => /^(route\.ts|page\.tsx)$/.test(path.basename(file)))
  .map(routeOf)
  .sort((a, b) => (a.rank < b.rank ? -1 : 1))

/** The short addresses of downloads, as next.config.mjs names them: one parameter each, with its pattern. */
const { beforeFiles } = (await config.rewrites!()) as {
  beforeFiles: { source: string; destination: string }[]
}
const rewrites = beforeFiles.map(({ source, destination }) => {
  const [, before, pattern, after] = /^(.*):\w+\((.+)\)(.*)$/.exec(source)!
  return { pattern: new RegExp(`^${escaped(before!)}(${pattern})${escaped(after!)}$`), destination }
})

function rewritten(pathname: string): string {
  for (const { pattern, destination } of rewrites) {
    const found = pattern.exec(pathname)
    if (found) return destination.replace(/:\w+/, found[1]!)
  }
  return pathname
}

/**
 * The file below `app/` that answers a path, with its parameters as Next hands them over. Null: the address
 * leads nowhere.
 */
export function matchRoute(pathname: string): MatchedRoute | null {
  const wanted = rewritten(pathname)
  for (const { file, isPage, names, pattern } of routes) {
    const found = pattern.exec(wanted)
    if (!found) continue
    const params = names.map(({ name, isRest }, index): [string, string | string[]] => {
      const text = found[index + 1]!
      // A page gets the segments as they are written, a handler decoded.
      const read = isPage ? (segment: string) => segment : decodeURIComponent
      return [name, isRest ? text.split('/').map(read) : read(text)]
    })
    return { file, isPage, params: Object.fromEntries(params) }
  }
  return null
}
