import type { LiveEvent } from './live-store'

/** Reads one message of `/api/v1/live`; null for what is none of ours. Only an id is ever believed. */
export function parseLive(type: string, data: string): LiveEvent | null {
  try {
    const value: unknown = JSON.parse(data)
    if (typeof value !== 'object' || value === null) return null
    const record = value as Record<string, unknown>
    const id = [record.executionId, record.id].find((v) => typeof v === 'string') as string | undefined
    const said = typeof record.type === 'string' ? record.type : type
    return { type: said, id: id ?? null }
  } catch {
    return null
  }
}
