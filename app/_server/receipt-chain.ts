import { requestText } from '@/lib/words/server/requests'
import { type Access, projectIds } from './access'
import { Refusal } from './respond'

/** The chain that an address asks for. Its id may contain slashes, so that it is behind the question mark. */
export function chainParam(
  access: Access,
  query: URLSearchParams,
): { projectIds: string[]; chainId: string } {
  const chainId = query.get('id') ?? ''
  if (chainId === '') throw new Refusal('bad-request', requestText.chainId)
  // No text in the database holds it.
  if (chainId.includes('\0')) throw new Refusal('not-found')
  return { projectIds: projectIds(access, query.get('project')), chainId }
}
