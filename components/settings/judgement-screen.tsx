import { Download } from 'lucide-react'
import Link from 'next/link'
import { limits } from '@/lib/limits'
import { links } from '@/lib/links'
import type { CauseCorrection, RuleCorrections } from '@/lib/model/cause-correction'
import { cutAtWord, oneLine } from '@/lib/text/visible'
import { correctedCallWords, correctionWords, judgementWords, shownWords } from '@/lib/words/corrections'
import { formatCount } from '../shared/format'
import { Time } from '../shared/time'
import { buttonClass } from '../shared/ui/button'
import { Chip } from '../shared/ui/chip'
import { VisibleText } from '../shared/visible-text'
import { SettingsFrame } from './settings-frame'

const CAUSE_CHARS = 120

/** What people said against the rules of causes: counts of each rule, and the newest corrections. */
export const JudgementScreen = ({
  rules,
  corrections,
  more,
}: {
  rules: RuleCorrections[]
  corrections: CauseCorrection[]
  more: boolean
}) => (
  <SettingsFrame
    page="judgement"
    lead={judgementWords.lead}
    action={
      <a href={links.api.causeCorrectionsExport()} download className={buttonClass()}>
        <Download size={14} aria-hidden /> Export corrections
      </a>
    }
  >
    <section aria-labelledby="rules" className="space-y-2">
      <h2 id="rules" className="font-semibold">
        Rules
      </h2>
      {rules.length === 0 ? (
        <p className="text-ink-2">{judgementWords.none}</p>
      ) : (
        <div className="rounded border border-line bg-surface px-4 py-2">
          <table className="w-full text-left">
            <thead className="text-sm text-ink-3">
              <tr>
                <th className="py-1 pr-3 font-medium">Rule</th>
                <th className="py-1 pr-3 text-right font-medium">Shown</th>
                <th className="py-1 pr-3 text-right font-medium">Corrected</th>
                <th className="py-1 text-right font-medium">To nothing</th>
              </tr>
            </thead>
            <tbody className="divide-y divide-line">
              {rules.map(({ rule, shown, corrected, nothing }) => (
                <tr key={rule ?? ''}>
                  <td className="py-1.5 pr-3 wrap-anywhere">
                    {rule === null ? judgementWords.noRule : <code className="font-mono">{rule}</code>}
                  </td>
                  <td className="py-1.5 pr-3 text-right tabular-nums">
                    {shownWords(shown, limits.countMax)}
                  </td>
                  <td className="py-1.5 pr-3 text-right tabular-nums">{formatCount(corrected)}</td>
                  <td className="py-1.5 text-right tabular-nums">{formatCount(nothing)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
    <section aria-labelledby="corrections" className="space-y-2">
      <h2 id="corrections" className="font-semibold">
        Corrections
      </h2>
      {corrections.length === 0 && <p className="text-ink-2">{judgementWords.noCorrections}</p>}
      {more && <p className="text-ink-2">{judgementWords.newest(corrections.length)}</p>}
      {corrections.length > 0 && (
        <ul className="divide-y divide-line rounded border border-line bg-surface">
          {corrections.map((correction) => (
            <CorrectionRow key={correction.id} correction={correction} />
          ))}
        </ul>
      )}
    </section>
  </SettingsFrame>
)

const CorrectionRow = ({ correction }: { correction: CauseCorrection }) => (
  <li className="space-y-0.5 px-4 py-2.5 wrap-anywhere">
    <p>
      <Link href={correction.url} prefetch={false} className="link font-medium">
        <VisibleText text={correction.executionTitle ?? correction.executionId} />
      </Link>{' '}
      {correction.undone !== null && <Chip>undone</Chip>}
    </p>
    <p className="text-sm text-ink-2">
      <VisibleText text={cutAtWord(oneLine(correction.judged.text), CAUSE_CHARS)} />
    </p>
    <p className="text-sm">
      Corrected by <VisibleText text={correction.by} />:{' '}
      {correction.call === null ? (
        correctionWords.nothing
      ) : (
        <VisibleText text={correctedCallWords(correction.call)} />
      )}
    </p>
    <p className="text-sm text-ink-3">
      {correction.project} · <Time at={correction.at} />
      {correction.reason !== '' && (
        <>
          {' · '}
          <VisibleText text={correction.reason} />
        </>
      )}
    </p>
  </li>
)
