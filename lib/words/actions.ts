import { ACTIONS, type Action, scopesOf } from '../auth/permissions'

/** What a person or a key does, as the beginning of a sentence and after "can't". */
const WORDS: Record<Action, readonly [doing: string, todo: string]> = {
  read: ['Reading', 'read'],
  'read-ci-run': ['Reading a CI run', 'read a CI run'],
  ingest: ['Sending data', 'send data'],
  'load-sample': ['Loading the sample data', 'load the sample data'],
  'propose-fix': ['Proposing fixes', 'propose fixes'],
  'comment-fix': ['Commenting on fixes', 'comment on fixes'],
  'correct-cause': ['Correcting causes', 'correct causes'],
  'check-fit': ['Checking whether a fix applies', 'check whether a fix applies'],
  'check-parity': ['Checking parity', 'check parity'],
  'review-fix': ['Reviewing fixes', 'review fixes'],
  reingest: ['Rebuilding a project', 'rebuild a project'],
  'manage-sources': ['Managing sources', 'manage sources'],
  'manage-mirrors': ['Managing mirrors', 'manage mirrors'],
  'manage-keys': ['Managing keys', 'manage keys'],
  'manage-people': ['Managing people', 'manage people'],
}

/** Why an action is refused: the role or the scope that it requires, or that no key may take it. */
export function refusedAction(action: Action, actor: 'person' | 'key'): string {
  const [doing, todo] = WORDS[action]
  if (actor === 'person') return `${doing} requires the role ${ACTIONS[action]} in the project.`
  // A decision on a fix is a person's, whatever the key (`app/api/v1/fixes/[id]/reviews`); nobody can make a key with the scope admin.
  const scopes = action === 'review-fix' ? [] : scopesOf(action).filter((scope) => scope !== 'admin')
  return scopes.length === 0
    ? `API keys can’t ${todo}. Sign in.`
    : `${doing} requires a key with the scope ${scopes.join(' or ')}.`
}
