import { TriangleAlert } from 'lucide-react'
import Link from 'next/link'
import type { RunDiagnosisDocument } from '@/lib/api/diagnosis-schemas'
import { readFetchStatistics } from '@/lib/judge/diagnosis/fetch-statistics'
import { DIAGNOSIS_KEYS } from '@/lib/model/diagnosis-lists'
import { links } from '@/lib/links'
import { plainText } from '@/lib/text/plain-json'
import { escapeToken } from '../raw/json-model'
import { cn } from '../shared/ui/cn'
import { CopyButton } from '../shared/copy-button'
import { VisibleText } from '../shared/visible-text'
import { Confidence } from './confidence'
import { JsonText } from './json-text'
import { fetchWords, KEY_WORDS, problemWords } from '@/lib/words/diagnosis'

export type DiagnosisValue = NonNullable<RunDiagnosisDocument['diagnoses'][number]['value']>

/** Keys that a diagnosis usually has beside the five, in the order in which they are read. */
const USUAL = ['escalated', 'model', 'user_message', 'execution_id', '_meta']
const USUAL_WORDS: Record<string, string> = {
  escalated: 'Escalated',
  model: 'Model',
  user_message: 'Message for users',
  execution_id: 'Diagnosed run',
  _meta: 'Fetch',
}

/**
 * A diagnosis whole: the five keys, what usually is beside them, then everything else. Breaches of the contract are at the value.
 *
 * @param isHandle it only names a run that was started, so that none of the five keys is missed one by one
 * @param shows  where it is in the documents that the page holds
 * @param hrefOf where a key is in the tree; null: there is no tree of it on this page
 */
export function DiagnosisValues({
  value,
  shows,
  isHandle = false,
  hrefOf,
}: {
  value: DiagnosisValue
  shows: string
  isHandle?: boolean
  hrefOf: ((pointer: string) => string) | null
}) {
  const problems = value.problems.map(problemWords)
  // Of the ID of a run nothing is invalid: it is no diagnosis, and that is said above.
  const whole = isHandle ? [] : problems.filter(({ key }) => key === null)
  const usual = USUAL.flatMap((key) => value.others.find((one) => one.key === key) ?? [])
  const unknown = value.others.filter(({ key }) => !USUAL.includes(key))
  const href = (key: string): string | null => hrefOf?.(`/${escapeToken(key)}`) ?? null
  return (
    <div>
      {whole.length > 0 && (
        <ul aria-label="Invalid values" className="mb-2">
          {whole.map(({ words }) => (
            <li key={words}>
              <Flag words={words} />
            </li>
          ))}
        </ul>
      )}
      <dl className="divide-y divide-line border-y border-line">
        {(isHandle ? [] : DIAGNOSIS_KEYS).map((key) => {
          const json = value.keys[key]
          const flags = problems.filter((problem) => problem.key === key)
          return (
            <Fact
              key={key}
              wire={key}
              word={KEY_WORDS[key]}
              json={json}
              href={json === null ? null : href(key)}
            >
              {json === null ? (
                <Flag words="missing" />
              ) : key === 'confidence' ? (
                <Confidence json={json} shows={`${shows}/keys/${key}`} />
              ) : (
                <span className={cn(key === 'root_cause' && 'text-md font-medium')}>
                  <JsonText json={json} shows={`${shows}/keys/${key}`} />
                </span>
              )}
              {key === 'confidence' && value.lowConfidence === true && <Flag words="low" />}
              {flags.map(({ words }) => (
                <Flag key={words} words={words} />
              ))}
            </Fact>
          )
        })}
        {usual.map(({ key, json }) => (
          <Fact
            key={key}
            wire={key}
            word={isHandle && key === 'execution_id' ? 'Diagnosis run' : USUAL_WORDS[key]!}
            json={json}
            href={href(key)}
          >
            {usualWords(key, json)}
          </Fact>
        ))}
        {unknown.map(({ key, json }) => (
          <Fact key={key} wire={key} word="Other key" json={json} href={href(key)}>
            <JsonText
              json={json}
              shows={`${shows}/others/${value.others.findIndex((one) => one.key === key)}/json`}
            />
          </Fact>
        ))}
      </dl>
    </div>
  )
}

function usualWords(key: string, json: string): React.ReactNode {
  if (key === 'escalated' && json === 'true') return 'yes: a paid remote model was used'
  if (key === 'escalated' && json === 'false') return 'no: the first model’s answer was used'
  if (key === 'execution_id') {
    const id = plainText(json)
    return (
      <Link href={links.anyId(id)} prefetch={false} className="link font-mono wrap-anywhere">
        <VisibleText text={id} />
      </Link>
    )
  }
  const fetched = key === '_meta' ? readFetchStatistics(json) : null
  return fetched === null ? (
    <JsonText json={json} />
  ) : (
    <>
      {fetchWords(fetched)}{' '}
      <span className="block text-ink-2">
        <JsonText json={json} />
      </span>
    </>
  )
}

function Fact({
  wire,
  word,
  json,
  href,
  children,
}: {
  wire: string
  word: string
  json: string | null
  href: string | null
  children: React.ReactNode
}) {
  return (
    <div className="grid gap-x-4 gap-y-0.5 py-2 md:grid-cols-[11rem_minmax(0,1fr)_auto]">
      <dt className="text-sm text-ink-3">
        {word}{' '}
        <code className="font-mono text-ink-2 wrap-anywhere">
          {href === null ? (
            <VisibleText text={wire} />
          ) : (
            <a href={href} title="Show in row" className="link">
              <VisibleText text={wire} />
            </a>
          )}
        </code>
      </dt>
      <dd className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">{children}</dd>
      {json !== null && (
        <dd className="max-md:hidden">
          <CopyButton className="!py-0 text-sm" label={`Copy ${wire}`} text={() => plainText(json)} />
        </dd>
      )}
    </div>
  )
}

const Flag = ({ words }: { words: string }) => (
  <span className="inline-flex items-start gap-1 text-sm font-medium text-warn">
    <TriangleAlert size={14} aria-hidden className="mt-[3px] shrink-0" /> {words}
  </span>
)
