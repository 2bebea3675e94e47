import type { Form } from '@/lib/model/parity'
import {
  KIND_REASON_WORDS,
  KIND_WORDS,
  SEVERITY_REASON_WORDS,
  layerInWords,
  layerWord,
  placeWord,
  ruleWords,
} from '@/lib/words/parity'
import { cn } from '../shared/ui/cn'
import { CopyButton } from '../shared/copy-button'
import { VisibleText } from '../shared/visible-text'
import type { CellMark, ParityRow } from './parity-rows'
import { SEVERITY_LOOKS, SeverityMark } from './severity-mark'

/** Places of one form with a column for each of its layers that was read; on a narrow screen the layers are below one another. What an agent wrote is shown as text only. */
export function LayerTable({
  form,
  layers,
  rows,
  label,
}: {
  form: Form
  layers: readonly string[]
  rows: readonly ParityRow[]
  label: string
}) {
  return (
    <div
      tabIndex={0}
      role="group"
      aria-label="Table of differences"
      className="mt-3 overflow-x-auto border-t border-line"
    >
      <table
        aria-label={label}
        className="w-full text-left text-sm max-md:block md:min-w-(--wide) md:table-fixed"
        style={{ '--wide': `${20 + layers.length * 15}rem` } as React.CSSProperties}
      >
        <thead className="max-md:hidden">
          <tr className="border-b border-line text-ink-2">
            <th scope="col" className="w-[7rem] py-2 pr-3 pl-4 font-normal">
              Severity
            </th>
            <th scope="col" className="px-3 py-2 font-normal">
              Place
            </th>
            {layers.map((layer) => (
              <th key={layer} scope="col" className="px-3 py-2 font-normal">
                {layerWord(layer, form)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="max-md:block">
          {rows.map((row) => (
            <tr
              key={row.path}
              className="border-b border-line align-top last:border-0 max-md:block max-md:py-1.5"
            >
              <td className="py-2 pr-3 pl-4 whitespace-nowrap max-md:block max-md:pb-0">
                <span
                  className={cn('inline-flex items-center gap-1 font-medium', SEVERITY_LOOKS[row.worst].tone)}
                >
                  <SeverityMark severity={row.worst} /> {row.worst}
                </span>
              </td>
              <th scope="row" className="px-3 py-2 font-normal max-md:block max-md:px-4">
                <code className="font-mono wrap-anywhere">
                  <VisibleText text={placeWord(row.path)} />
                </code>{' '}
                <CopyButton
                  className="!p-0.5 align-middle"
                  text={row.path === '' ? '#' : `#${row.path}`}
                  label="Copy pointer"
                />
              </th>
              {layers.map((layer, index) => (
                <Cell key={layer} form={form} row={row} layer={layer} before={layers[index - 1]} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Cell({
  form,
  row: { marks, values },
  layer,
  before,
}: {
  form: Form
  row: ParityRow
  layer: string
  before: string | undefined
}) {
  const found = marks.get(layer) ?? []
  const isSame =
    found.length === 0 && before !== undefined && values !== undefined && values[layer] === values[before]
  return (
    // Where there is no room for columns, a cell says whose it is.
    <td
      data-layer={layerWord(layer, form)}
      className={cn(
        'px-3 py-2 max-md:block max-md:px-4 max-md:before:block max-md:before:text-ink-2 max-md:before:content-[attr(data-layer)]',
        found.length > 0 && SEVERITY_LOOKS[found[0]!.severity].tint,
      )}
    >
      {found.map((mark) => (
        <KindMark key={mark.kind} mark={mark} form={form} />
      ))}
      {isSame ? (
        <span className="text-ink-3">
          {CUT.test(values[layer] ?? '') ? 'same (first 300 characters)' : 'same'}
        </span>
      ) : (
        <Value text={values?.[layer]} />
      )}
    </td>
  )
}

const KindMark = ({
  mark: { kind, kindRule, severity, rule, from },
  form,
}: {
  mark: CellMark
  form: Form
}) => (
  <span
    title={`${kind}, ${severity}, compared with ${layerInWords(from, form)}. ${kindRule === undefined ? '' : `${ruleWords(KIND_REASON_WORDS, kindRule)}. `}${ruleWords(SEVERITY_REASON_WORDS, rule)}`}
    className={cn('mb-1 flex items-center gap-1 font-semibold', SEVERITY_LOOKS[severity].tone)}
  >
    <SeverityMark severity={severity} /> {KIND_WORDS[kind]}
  </span>
)

/** As many characters of a value as the answer holds, and the mark behind them. */
const CUT = /^([\s\S]{300})…$/

function Value({ text }: { text: string | null | undefined }) {
  if (text === undefined) return <span className="text-ink-3">not included</span>
  if (text === null) return <span className="text-ink-2">absent</span>
  const cut = CUT.exec(text)?.[1]
  return (
    <>
      <code className="font-mono wrap-anywhere">
        <VisibleText text={cut ?? text} />
      </code>
      {cut !== undefined && <span className="text-ink-2"> … cut</span>}
    </>
  )
}
