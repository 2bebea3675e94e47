import { readParityQuestion, sinceOf, type ParityQuestion } from '@/lib/judge/parity/parity-question'
import { Refusal } from './respond'

/**
 * What a query asks of the checks that are stored. Pages read any address and say what they made of it; a program gets an error.
 *
 * @throws Refusal `bad-request`
 */
export function parityParam(query: URLSearchParams): { question: ParityQuestion; since: string | null } {
  const word = (name: string) => query.get(name)
  const { question, problems } = readParityQuestion({
    window: word('window'),
    kind: word('kind'),
    severity: word('severity'),
    show: word('show'),
    path: word('path'),
    from: word('from'),
    to: word('to'),
  })
  if (problems.length > 0) throw new Refusal('bad-request', problems.join(' '))
  return { question, since: sinceOf(question.window, new Date()) }
}
