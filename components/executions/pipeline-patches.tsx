import { ArrowRight } from 'lucide-react'
import Link from 'next/link'
import type { ExecutionDetail } from '@/lib/api/schemas'
import { taskFileName } from '@/lib/formats/async-pipeline/layout'
import { limits } from '@/lib/limits'
import { links } from '@/lib/links'
import { FixStateMark } from '../fixes/fix-state'
import { fixName } from '../fixes/words'
import { formatBytes, plural } from '../shared/format'
import { Chip } from '../shared/ui/chip'
import { VisibleText } from '../shared/visible-text'
import { BytesLink } from '../raw/bytes-link'
import type { FixItem } from '@/lib/model/fix'

type Pipeline = NonNullable<ExecutionDetail['pipeline']>
type PatchFile = Pipeline['patches'][number]

/** The patches that lie with a run, each with the fix that it is proposed as. @param o.fixes null while they are read */
export function PipelinePatches({
  executionId,
  pipeline: { patches, tasks, status },
  fixes,
}: {
  executionId: string
  pipeline: Pipeline
  fixes: readonly FixItem[] | null
}) {
  return (
    <section data-late aria-labelledby="patches" className="rounded border border-line bg-surface px-4 py-3">
      <h2 id="patches" className="text-sm font-medium text-ink-3">
        Patches found in the run
      </h2>
      <ul className="mt-1 space-y-2">
        {patches.map((patch) => {
          const { origin, fileName, of, size, sha256, pointer } = patch
          const isHook = origin === 'fixes-dir'
          const makers = tasks.filter((task) =>
            isHook ? taskFileName(task.id) === of : task.cacheKey === of,
          )
          const task = makers.length === 1 ? makers[0]!.id : null
          const fix = fixes?.find((one) => one.sha256 === sha256 && one.task === (task ?? '')) ?? null
          return (
            <li key={`${origin} ${of} ${fileName} ${sha256}`}>
              <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
                <strong className="font-semibold wrap-anywhere">
                  <VisibleText text={fileName} />
                </strong>
                <Chip>{isHook ? 'from fixes/' : 'stdout artifact'}</Chip>
                <span className="text-ink-2">
                  {plural(size, 'byte')}, of task{' '}
                  {task === null ? 'not recorded' : <VisibleText text={task} />}{' '}
                  <code className="font-mono text-sm" title={sha256}>
                    {sha256.slice(0, 12)}
                  </code>
                </span>
                <BytesLink executionId={executionId} pointer={pointer}>
                  View raw patch
                </BytesLink>
              </p>
              {fix === null ? (
                fixes !== null && <p className="text-sm text-ink-2">{whyNot(patch, task, status)}</p>
              ) : (
                <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
                  <Link
                    href={links.fix(fix.id)}
                    className="link inline-flex min-w-0 items-center gap-1 font-medium"
                  >
                    <span className="min-w-0 wrap-anywhere">
                      Proposed as <VisibleText text={fixName(fix)} />
                    </span>{' '}
                    <ArrowRight size={14} aria-hidden className="shrink-0" />
                  </Link>
                  <FixStateMark state={fix.state} />
                </p>
              )}
              {!isHook && (
                <p className="text-sm text-ink-2">
                  Printed by an agent. Invalid UTF-8 and known secrets were replaced before it was written.
                </p>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function whyNot({ size }: PatchFile, task: string | null, status: string | null): string {
  if (size > limits.patchBytesMax)
    return `Not proposed as a fix: larger than ${formatBytes(limits.patchBytesMax)}.`
  if (task === null && (status === null || status === 'running'))
    return 'Not proposed as a fix yet: the run’s record is missing or has no end, so its task is unknown.'
  return 'Not proposed as a fix yet. This happens within a minute of the import.'
}
