import type { Problem } from '@/lib/problem'

/** What an endpoint answered in place of what was asked for. */
export class ProblemError extends Error {
  readonly problem: Problem
  constructor(problem: Problem, options?: ErrorOptions) {
    super(problem.detail ?? problem.title, options)
    this.name = 'ProblemError'
    this.problem = problem
  }
}

/** Reads an answer that is not 2xx; one that is no problem document (a proxy's page, say) is reported as what it is. */
export async function readProblem(response: Response): Promise<Problem> {
  const requestId = response.headers.get('x-request-id') ?? undefined
  try {
    const body: unknown = await response.json()
    if (typeof body === 'object' && body !== null && 'title' in body && typeof body.title === 'string') {
      return { requestId, ...(body as Problem) }
    }
  } catch {
    // not JSON: reported below by its status
  }
  return {
    type: '/problems/internal',
    title: `The server returned status ${response.status}`,
    status: response.status,
    requestId,
  }
}

/** One request with JSON in and out. Every failure is a `ProblemError`, the network's included. */
export async function sendJson<T>(
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
  address: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<T> {
  let response: Response
  try {
    response = await fetch(address, {
      method,
      signal,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new ProblemError(
      { type: '/problems/store-down', title: 'Server unreachable', status: 0 },
      { cause: error },
    )
  }
  if (!response.ok) throw new ProblemError(await readProblem(response))
  return response.status === 204 ? (undefined as T) : ((await response.json()) as T)
}

export const getJson = <T>(address: string, signal?: AbortSignal): Promise<T> =>
  sendJson<T>('GET', address, undefined, signal)

/** Any thrown value as a problem, so that there is one way to show it. */
export const asProblem = (error: unknown): Problem =>
  error instanceof ProblemError
    ? error.problem
    : {
        type: '/problems/internal',
        title: 'This page failed',
        status: 0,
        detail: error instanceof Error ? error.message : String(error),
      }
