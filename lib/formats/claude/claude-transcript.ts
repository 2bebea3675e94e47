import { modelOf, readAssistant } from './assistant'
import {
  noteChild,
  sessionOf,
  startContext,
  tellParent,
  tellSurroundings,
  type ClaudeContext,
} from './context'
import { finish, notAnObject, type RecordContent } from './draft'
import { newMemory, recall, remember, type Memory } from './memory'
import { digestOf, idText } from './text'
import { upgradeRecord, type ClaudeRecord } from './upgrade'
import { readUser } from './user'
import { anyAt, asObject, textAt } from './wire'
import { readOther } from './transcript-records'
import type { Adapter, LineInput } from '../../model/adapter'

/** What a transcript carries from record to record. */
export interface TranscriptContext extends ClaudeContext {
  /** Root of the in-file sidechain by the uuid of each of its records (files of 1.0). */
  roots: Memory
  /** Calls that start a sub-agent, by the digest of what they ask; several may ask the same. */
  asked: Memory
  /** uuids seen of late: a summary names the record it was made for, often of another session. */
  uuids: string[]
}

const ROOTS_MAX = 2_048
const ASKED_MAX = 256
const UUIDS_MAX = 128

interface Place {
  key: string
  session: string
  parentCallId: string | null
}

/**
 * Transcripts on disk: main files, both layouts of sub-agent files, resumed and compacted sessions (each record goes to the session
 * it names), and the sidechains that 1.0 wrote into the main file.
 *
 * @see docs/sources/claude-code.md#claude-transcript
 */
export const claudeTranscript: Adapter<TranscriptContext> = {
  channel: 'transcript',

  peek(value) {
    const record = asObject(value)
    if (record === null) return { sessionId: null, agentId: null }
    const text = (key: string): string | null => textAt(record, key, { wrong: [] }) || null
    return { sessionId: text('sessionId') ?? text('session_id'), agentId: text('agentId') }
  },

  start: (hint) => ({ ...startContext(hint), roots: newMemory(), asked: newMemory(), uuids: [] }),

  read(line, context) {
    const raw = asObject(line.value)
    if (raw === null) return notAnObject(line, placeOf(null, line, context).place.key)
    const record = upgradeRecord(raw)
    const { place, missing } = placeOf(record, line, context)
    if (record.uuid !== null) noteUuid(context, record.uuid)
    const content = readRecord(record, line, context, place)
    tellParent(context, content.facts, place.key, place.session, place.parentCallId)
    tellSurroundings(context, content.facts, place.key, {
      cwd: record.cwd,
      branch: record.branch,
      version: record.version,
      model: record.type === 'assistant' ? modelOf(record.message, { wrong: [] }) : null,
      forkedFrom: forkOf(record),
    })
    const envelope = {
      executionKey: place.key,
      type: typeOf(record),
      at: record.at,
      uuid: record.uuid,
      parentUuid: record.parentUuid,
    }
    return finish(line, envelope, content, record.notes, missing)
  },
}

function readRecord(
  record: ClaudeRecord,
  line: LineInput,
  context: TranscriptContext,
  place: Place,
): RecordContent {
  if (record.type === 'assistant') {
    const content = readAssistant(record, line, context)
    if (content.facts.calls) rememberAsked(record, context)
    return content
  }
  if (record.type === 'user') return readUser(record, line, context, place.session)
  return readOther(record, line, context, place.session, (uuid) => context.uuids.includes(uuid))
}

/** A plain list with room for twice as many is cheaper than a map, and it is searched only when a summary comes. */
function noteUuid(context: TranscriptContext, uuid: string): void {
  if (context.uuids.push(uuid) >= 2 * UUIDS_MAX) context.uuids = context.uuids.slice(-UUIDS_MAX)
}

/** `--fork-session` and `/branch` copy the records of a session into a new one, and each copy names where it was copied from. */
function forkOf({ raw }: ClaudeRecord): string | null {
  const fork = asObject(anyAt(raw, 'forkedFrom'))
  const session = fork === null ? null : textAt(fork, 'sessionId', { wrong: [] })
  return session ? idText(session) : null
}

/** The producer's own type; records that have a subtype, or progress of some kind, carry it behind a slash. */
const typeOf = (record: ClaudeRecord): string => {
  const data = record.type === 'progress' ? asObject(anyAt(record.raw, 'data')) : null
  const subtype = data === null ? record.subtype : textAt(data, 'type', { wrong: [] })
  return record.type === null ? '' : subtype ? `${record.type}/${subtype}` : record.type
}

function placeOf(
  record: ClaudeRecord | null,
  line: LineInput,
  context: TranscriptContext,
): { place: Place; missing: boolean } {
  const { session, missing } = sessionOf(context, record?.sessionId ?? null, line)
  const agent = context.agent ?? (record?.isSidechain === false ? null : (record?.agentId ?? null))
  if (agent !== null)
    return { place: { key: `${session}/agent-${agent}`, session, parentCallId: null }, missing }
  if (record?.isSidechain !== true) return { place: { key: session, session, parentCallId: null }, missing }
  return { place: sidechainOf(record, line, context, session), missing }
}

/** Threads an in-file sidechain to its root by parent, and its root to the call that asked for it: no id joins the two in these files. */
function sidechainOf(
  record: ClaudeRecord,
  line: LineInput,
  context: TranscriptContext,
  session: string,
): Place {
  const known = record.parentUuid === null ? null : recall(context.roots, record.parentUuid)
  const own = record.uuid ?? line.digest
  const root = known ?? own
  remember(context.roots, own, root, ROOTS_MAX)
  const key = `${session}/sidechain-${root}`
  if (known !== null) return { key, session, parentCallId: recall(context.linked, key) || null }
  const callId = takeAsked(context, firstText(record))
  if (callId !== null) noteChild(context, callId, key)
  return { key, session, parentCallId: callId }
}

/** What each call of this message asks a sub-agent to do. */
function rememberAsked(record: ClaudeRecord, context: TranscriptContext): void {
  const content = anyAt(record.message!, 'content')
  if (!Array.isArray(content)) return
  for (const value of content) {
    const block = asObject(value)
    const input = block?.['type'] === 'tool_use' ? asObject(anyAt(block, 'input')) : null
    const prompt = input === null ? null : anyAt(input, 'prompt')
    const callId = block === null ? null : anyAt(block, 'id')
    if (typeof prompt !== 'string' || typeof callId !== 'string' || typeof input!['url'] === 'string')
      continue
    const name = digestOf(prompt)
    const before = recall(context.asked, name)
    const waiting: string[] = before === null ? [] : JSON.parse(before)
    if (waiting.length < 64)
      remember(context.asked, name, JSON.stringify([...waiting, idText(callId)]), ASKED_MAX)
  }
}

/** Each call starts one sub-agent: of two that ask the same, the first root belongs to the first call. */
function takeAsked(context: TranscriptContext, text: string | null): string | null {
  if (text === null) return null
  const name = digestOf(text)
  const before = recall(context.asked, name)
  const [first, ...rest]: string[] = before === null ? [] : JSON.parse(before)
  if (first !== undefined) remember(context.asked, name, JSON.stringify(rest), ASKED_MAX)
  return first ?? null
}

function firstText(record: ClaudeRecord): string | null {
  const content = record.type === 'user' && record.message !== null ? anyAt(record.message, 'content') : null
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return null
  const text = asObject(content.find((value) => asObject(value)?.['type'] === 'text'))?.['text']
  return typeof text === 'string' ? text : null
}
