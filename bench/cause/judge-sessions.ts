import { join } from 'node:path'
import { SAMPLES_FOLDER, type LabelledSession } from './labels'
import { answerOf } from './product-answer'
import { projectOf, type Session } from './score'

/**
 * Lets the product judge each labelled session. `unread` are files in no format that is taken in: nothing of
 * them is scored.
 */
export async function judgeSessions(
  labelled: readonly LabelledSession[],
): Promise<{ sessions: Session[]; unread: string[] }> {
  const sessions: Session[] = []
  const unread: string[] = []
  for (const one of labelled) {
    const answer = await answerOf(join(SAMPLES_FOLDER, one.file), one.file)
    if (answer === null) unread.push(one.file)
    else sessions.push({ ...one, project: projectOf(one.file), answer })
  }
  return { sessions, unread }
}
