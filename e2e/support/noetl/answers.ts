import { writeJson, type Json } from './json'
import { isLostAt, type Losses } from './losses'
import type { NoetlRun } from './runs'

/** What a server says to a request, before anything goes wrong. */
export interface Answer {
  status: number
  headers: Record<string, string>
  body: string
}

/** The question, as far as a dialect answers it. Later runs are first in `runs`. */
export interface Question {
  runs: readonly NoetlRun[]
  query: URLSearchParams
  losses: Losses
}

export const ROUTES = ['list', 'detail', 'events', 'status', 'cancellation-check'] as const
export type Route = (typeof ROUTES)[number]

/** How one of the two servers answers. A route that it does not have answers null. */
export interface DialectAnswers {
  list(question: Question): Answer
  one(route: Exclude<Route, 'list'>, run: NoetlRun, question: Question): Answer | null
  failure(status: number, message: string): Answer
}

interface JsonAnswerOptions {
  losses?: Losses
  headers?: Record<string, string>
}

export const jsonAnswer = (
  status: number,
  value: Json,
  { losses = {}, headers = {} }: JsonAnswerOptions = {},
): Answer => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: writeJson(value, { rounded: isLostAt(losses, 'roundedIds', 'api') }),
})

interface Bounds {
  unless: number
  min: number
  max: number
}

/** A whole number of a query within its bounds; undefined when it is none, or outside. */
export function wholeNumber(query: URLSearchParams, name: string, bounds: Bounds): number | undefined {
  const { unless, min, max } = bounds
  const text = query.get(name)
  if (text === null) return unless
  if (!/^[+-]?\d{1,15}$/.test(text)) return undefined
  const number = Number(text)
  return number < min || number > max ? undefined : number
}

/** The head as it was recorded in this dialect, where it was. */
export function headOf(
  run: NoetlRun,
  dialect: 'python' | 'rust',
  derived: Record<string, Json>,
): Record<string, Json> {
  if (run.recordedHead?.dialect !== dialect) return derived
  const members = Object.entries(run.recordedHead.members).filter(([key]) => Object.hasOwn(derived, key))
  return { ...derived, ...Object.fromEntries(members) }
}
