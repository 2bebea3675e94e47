'use client'

import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Pointer } from '@/lib/model/execution'
import { lineAround } from './byte-text'
import { receivedQueries } from './queries'

/** Bytes of a record read at first; a longer one is shown in part, and the part says so. */
const FIRST_BYTES = 512 * 1024
/** Read around a place before the bounds of its record are known. */
const AROUND_BYTES = 64 * 1024

export interface RecordBytes {
  /** Place of the first byte in the kept part. */
  start: number
  bytes: Uint8Array
  /** These are all bytes of the record. */
  whole: boolean
}

/**
 * The bytes of the record that contains a place. The place is read at once with what surrounds it, and its line taken for the record;
 * when the record's own bounds are known and reach further, those are read.
 */
export function useRecordBytes(at: Pointer, bounds: Pointer | undefined, all: boolean) {
  const near = nearWindow(at)
  const around = useQuery(receivedQueries.range(at.received, near.start, near.end))
  const got = around.data ? { start: near.start, end: near.start + around.data.length } : null
  const covered =
    bounds === undefined || (got !== null && got.start <= bounds.byteStart && got.end >= bounds.byteEnd)
  const own = boundsWindow(at, bounds, all)
  const exact = useQuery({
    ...receivedQueries.range(at.received, own.start, own.end),
    enabled: around.isSuccess && !covered,
  })
  const record = useMemo((): RecordBytes | null => {
    if (bounds !== undefined && exact.data) return { start: own.start, bytes: exact.data, whole: own.whole }
    if (!around.data) return null
    const line =
      bounds && covered
        ? { from: bounds.byteStart, to: bounds.byteEnd }
        : lineAround(around.data, near.start, at)
    const bytes = around.data.subarray(line.from - near.start, line.to - near.start)
    return {
      start: line.from,
      bytes,
      whole: covered && (bounds !== undefined || bytes.length < around.data.length),
    }
  }, [around.data, exact.data, bounds, covered, near.start, own.start, own.whole, at])
  const failed = around.isError ? around : exact.isError ? exact : null
  return { record, error: failed?.error ?? null, retry: () => void failed?.refetch() }
}

const nearWindow = (at: Pointer): { start: number; end: number } => ({
  start: Math.max(0, at.byteStart - AROUND_BYTES),
  end: Math.min(at.byteEnd, at.byteStart + FIRST_BYTES) + AROUND_BYTES,
})

function boundsWindow(
  at: Pointer,
  bounds: Pointer | undefined,
  all: boolean,
): { start: number; end: number; whole: boolean } {
  if (!bounds) return { start: 0, end: 0, whole: false }
  if (all || bounds.byteEnd - bounds.byteStart <= FIRST_BYTES)
    return { start: bounds.byteStart, end: bounds.byteEnd, whole: true }
  const start = Math.max(bounds.byteStart, at.byteStart - FIRST_BYTES / 4)
  return { start, end: Math.min(bounds.byteEnd, start + FIRST_BYTES), whole: false }
}
