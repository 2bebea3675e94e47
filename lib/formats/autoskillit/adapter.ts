import { finish, notAnObject } from '../claude/draft'
import { idText } from '../claude/text'
import { asObject, textAt, type JsonObject, type Notes } from '../claude/wire'
import { readLogPath, sessionOfDir, type LogFile } from './layout'
import { readCrash, readRecord } from './read-record'
import type { Adapter, LineInput } from '../../model/adapter'

export interface LogContext {
  file: LogFile | null
  /** Folder of the run that the file lies in. */
  dir: string | null
}

/**
 * Session logs of AutoSkillit: the index of all runs and the files in the folder of each. A run is the execution of its session, the same
 * as that of the session's transcript. Records that name no session belong to the folder they lie in; without one they make no execution.
 *
 * @see docs/sources/autoskillit.md
 */
export const autoskillit: Adapter<LogContext> = {
  channel: 'log',

  peek(value) {
    const record = asObject(value)
    return { sessionId: record === null ? null : sessionIn(record, { wrong: [] }), agentId: null }
  },

  nameOf(fileName) {
    const { dir } = readLogPath(fileName)
    return dir === null
      ? null
      : {
          sessionId: idText(sessionOfDir(dir)),
          file: `${dir}/${fileName!.slice(fileName!.lastIndexOf('/') + 1)}`,
        }
  },

  // Without a folder a record can only belong to the run that it names itself.
  linesStandAlone(fileName) {
    const { file, dir } = readLogPath(fileName)
    return dir === null && file !== 'crash'
  },

  start: (hint) => readLogPath(hint.fileName),

  isText: (context) => context.file === 'crash',

  read(line, context) {
    const { dir } = context
    const home = dir === null ? null : idText(sessionOfDir(dir))
    const key = home ?? noSession(line)
    if (context.file === 'crash' && typeof line.value === 'string') {
      const { content, type } = readCrash(line.value, line, dir)
      return finish(
        line,
        { executionKey: key, type, at: null, uuid: null, parentUuid: null, homeless: home === null },
        content,
        { wrong: [] },
        home === null,
      )
    }
    const raw = asObject(line.value)
    if (raw === null) return notAnObject(line, key, home === null)
    const notes: Notes = { wrong: [] }
    const own = sessionIn(raw, notes) ?? home
    const { content, type, at } = readRecord(context.file, raw, line, notes, dir)
    return finish(
      line,
      { executionKey: own ?? key, type, at, uuid: null, parentUuid: null, homeless: own === null },
      content,
      notes,
      own === null,
    )
  },
}

/** A record that names no run, and lies in the folder of none. */
const noSession = (line: LineInput): string => `no-session-${line.digest.slice(0, 16)}`

/** The session that a record names, else that of the folder it names. */
function sessionIn(record: JsonObject, notes: Notes): string | null {
  const session = textAt(record, 'session_id', notes)
  if (session) return idText(session)
  const dir = textAt(record, 'dir_name', { wrong: [] })
  return dir ? idText(sessionOfDir(dir)) : null
}
