import Link from 'next/link'
import type { ExecutionDetail } from '@/lib/api/schemas'
import { taskFileName } from '@/lib/formats/async-pipeline/layout'
import { links } from '@/lib/links'
import { visible } from '@/lib/text/visible'
import { Command } from '../shared/command'
import { formatCount, formatDuration, plural } from '../shared/format'
import { CallGlyph } from '../shared/glyphs'
import { ExactTime } from '../shared/time'
import { Chip } from '../shared/ui/chip'
import { VisibleText } from '../shared/visible-text'
import { BytesLink } from '../raw/bytes-link'
import { PipelinePatches } from './pipeline-patches'
import type { FixItem } from '@/lib/model/fix'

type Pipeline = NonNullable<ExecutionDetail['pipeline']>
type Task = Pipeline['tasks'][number]

const at = (task: Task): string => task.finishedAt ?? task.startedAt ?? '~'

/** Of a run of a pipeline: how to see the task fail again, what had changed, the end of its log, and what became of the others. */
export function PipelineView({
  executionId,
  pipeline,
  fixes,
}: {
  executionId: string
  pipeline: Pipeline
  fixes: readonly FixItem[] | null
}) {
  const failed = pipeline.tasks
    .filter((task) => task.status === 'failed')
    .sort((a, b) => (at(a) < at(b) ? -1 : 1))
  return (
    <>
      {failed.slice(0, FAILED_SHOWN).map((task) => (
        <FailedTask key={task.id} executionId={executionId} task={task} alone={pipeline.alone} />
      ))}
      <TaskList executionId={executionId} pipeline={pipeline} more={failed.length - FAILED_SHOWN} />
      {pipeline.patches.length > 0 && (
        <PipelinePatches executionId={executionId} pipeline={pipeline} fixes={fixes} />
      )}
    </>
  )
}

/** What failed later is mostly named in a line: the first is where to begin. */
const FAILED_SHOWN = 3

function FailedTask({ executionId, task, alone }: { executionId: string; task: Task; alone: boolean }) {
  const { context, reproduce, log, agent } = task
  const heading = `task-${taskFileName(task.id)}`
  return (
    <section aria-labelledby={heading} className="rounded border border-line bg-surface px-4 py-3">
      <h2 id={heading} className="text-sm font-medium text-ink-3">
        How task{' '}
        <span className="font-semibold text-ink wrap-anywhere">
          <VisibleText text={task.id} />
        </span>{' '}
        failed
      </h2>
      <div className="mt-2 grid gap-x-6 gap-y-3 lg:grid-cols-2">
        <div className="min-w-0 space-y-3">
          {reproduce && <Reproduce {...reproduce} />}
          <Inputs context={context} />
          {context && context.claims.length > 0 && (
            <div>
              <h3 className="text-sm text-ink-3">Claims named in its log</h3>
              <p className="mt-1 flex flex-wrap gap-1.5">
                {context.claims.map((claim) => (
                  <Chip key={claim}>
                    <VisibleText text={claim} />
                  </Chip>
                ))}
              </p>
            </div>
          )}
          {agent && (
            <p className="text-sm text-ink-2">
              Agent profile <VisibleText text={agent.profile ?? 'not recorded'} />, model{' '}
              <VisibleText text={agent.model ?? 'not recorded'} />, exit code {agent.code ?? 'not recorded'}
              {agent.timedOut === true && ', timed out'}. Last exchange of the task.{' '}
              <BytesLink executionId={executionId} pointer={agent.pointer}>
                View exchange
              </BytesLink>
            </p>
          )}
        </div>
        <LogEnd executionId={executionId} task={task} alone={alone} />
      </div>
      {log.state === 'shared' && (
        <p className="mt-2 text-sm text-ink-2">
          Another task of the run uses the same file name, so the log and exchange cannot be assigned.
        </p>
      )}
    </section>
  )
}

function Reproduce({ command, recorded }: { command: string; recorded: boolean }) {
  return (
    <div>
      <h3 className="text-sm text-ink-3">
        Reproduce {recorded ? '(from its context pack)' : '(built from its name; no context pack)'}
      </h3>
      <div className="mt-1">
        {/* What cannot be seen is not offered to be copied into a shell. */}
        {visible(command) !== command || command.includes('\n') ? (
          <code className="font-mono text-sm wrap-anywhere">
            <VisibleText text={command} />
          </code>
        ) : (
          <Command text={command} />
        )}
      </div>
    </div>
  )
}

const KINDS = [
  ['changed', 'changed'],
  ['added', 'added'],
  ['removed', 'removed'],
] as const

function Inputs({ context }: Pick<Task, 'context'>) {
  const inputs = context?.inputs ?? null
  return (
    <div>
      <h3 className="text-sm text-ink-3">Inputs since its last pass</h3>
      {inputs === null ? (
        <p className="mt-1 text-ink-2">Not recorded{context === null && ': it has no context pack'}.</p>
      ) : inputs.baseline === null ? (
        <p className="mt-1 text-ink-2">No earlier pass to compare with.</p>
      ) : (
        <>
          {inputs.changed.length + inputs.added.length + inputs.removed.length === 0 && (
            <p className="mt-1 text-ink-2">None of its inputs changed.</p>
          )}
          <ul className="mt-1 max-h-40 overflow-auto">
            {KINDS.flatMap(([kind, word]) =>
              inputs[kind].map((path) => (
                <li key={`${kind} ${path}`} className="flex gap-2">
                  <span className="w-18 shrink-0 text-sm text-ink-3">{word}</span>
                  <span className="font-mono text-sm wrap-anywhere">
                    <VisibleText text={path} />
                  </span>
                </li>
              )),
            )}
          </ul>
          {inputs.leftOut > 0 && (
            <p className="text-sm text-ink-3">
              {plural(inputs.leftOut, 'more path')} in the raw context pack.
            </p>
          )}
          {inputs.baseline.recordedAt !== null && (
            <p className="text-sm text-ink-3">
              Last passed at <ExactTime at={inputs.baseline.recordedAt} />.
            </p>
          )}
        </>
      )}
    </div>
  )
}

function LogEnd({
  executionId,
  task: { context, log },
  alone,
}: {
  executionId: string
  task: Task
  alone: boolean
}) {
  return (
    <div className="flex min-w-0 flex-col">
      <h3 className="text-sm text-ink-3">End of its log</h3>
      {context?.logTail ? (
        // Turned round, so that the last lines are in sight: they say why.
        <div
          tabIndex={0}
          role="region"
          aria-label="End of the log"
          className="mt-1 flex max-h-48 flex-col-reverse overflow-auto rounded border border-line bg-sunken px-3 py-2"
        >
          <pre className="font-mono text-sm whitespace-pre-wrap wrap-anywhere">
            <VisibleText text={context.logTail} />
          </pre>
        </div>
      ) : (
        <p className="mt-1 text-ink-2">
          {log.pointer ? 'Its log is in Raw.' : alone ? 'The record has no files.' : 'No log.'}
        </p>
      )}
      <p className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-sm">
        {log.pointer && (
          <BytesLink executionId={executionId} pointer={log.pointer}>
            View full log
          </BytesLink>
        )}
        {context && (
          <BytesLink executionId={executionId} pointer={context.pointer}>
            View context pack
          </BytesLink>
        )}
      </p>
      {log.dropped !== null && (
        <p className="text-sm text-ink-2">
          The tool truncated the beginning: <VisibleText text={log.dropped} />
        </p>
      )}
      {log.cutBytes !== null && (
        <p className="text-sm text-ink-2">The first {formatCount(log.cutBytes)} bytes were not sent.</p>
      )}
    </div>
  )
}

const STATUS: Record<string, string> = {
  passed: 'passed',
  failed: 'failed',
  cached: 'from the cache',
  skipped: 'skipped',
  running: 'running',
  pending: 'not started',
}
const STATE: Record<string, string> = { passed: 'succeeded', cached: 'succeeded', failed: 'failed' }

function TaskList({
  executionId,
  pipeline: { tasks, tasksLeftOut, notListed, status, alone, sources },
  more,
}: {
  executionId: string
  pipeline: Pipeline
  more: number
}) {
  return (
    <section data-late aria-labelledby="tasks" className="rounded border border-line bg-surface px-4 py-3">
      <h2 id="tasks" className="text-sm font-medium text-ink-3">
        Tasks of the run
      </h2>
      {tasks.length > 0 && (
        <div className="mt-1 overflow-x-auto" tabIndex={0} role="group" aria-labelledby="tasks">
          <table className="text-left md:min-w-2xl">
            <thead className="text-sm text-ink-3">
              <tr>
                <th className="pr-4 font-normal">Task</th>
                <th className="pr-4 font-normal">Status</th>
                <th className="pr-4 text-right font-normal">Attempts</th>
                <th className="pr-4 text-right font-normal">Duration</th>
                <th className="font-normal">Inputs</th>
              </tr>
            </thead>
            <tbody>
              {tasks.map((task, index) => (
                <tr key={`${index} ${task.id}`} className="align-top">
                  <td className="pr-4 wrap-anywhere">
                    <Link href={links.bytes(executionId, task.pointer)} prefetch={false} className="link">
                      <VisibleText text={task.id} />
                    </Link>
                  </td>
                  <td className="pr-4 whitespace-nowrap">
                    <span className="inline-flex items-center gap-1.5">
                      <CallGlyph state={STATE[task.status ?? ''] ?? 'no_result'} />{' '}
                      <VisibleText text={STATUS[task.status ?? ''] ?? task.status ?? 'not recorded'} />
                    </span>
                  </td>
                  <td className="pr-4 text-right tabular-nums">
                    {task.attempts === null ? 'not recorded' : formatCount(task.attempts)}
                    {(task.attempts ?? 0) > 1 && task.attemptsInLog < task.attempts! && (
                      <span className="block text-sm text-ink-3">
                        {formatCount(task.attemptsInLog)} recorded separately
                      </span>
                    )}
                  </td>
                  <td className="pr-4 text-right whitespace-nowrap tabular-nums">
                    {task.durationMs === null ? 'not recorded' : formatDuration(task.durationMs)}
                  </td>
                  <td className="font-mono text-sm text-ink-2" title={task.cacheKey ?? undefined}>
                    {task.cacheKey === null ? (
                      <span className="font-sans">not recorded</span>
                    ) : (
                      <VisibleText text={task.cacheKey.slice(0, 8)} />
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <ul className="mt-2 space-y-0.5 text-sm text-ink-2">
        {tasksLeftOut > 0 && <li>{plural(tasksLeftOut, 'more task')} in the raw record.</li>}
        {more > 0 && <li>{plural(more, 'more failed task')} in the table only.</li>}
        {notListed.map((id) => (
          <li key={id}>
            Task <VisibleText text={id} /> has a context pack but is not in the record.
          </li>
        ))}
        {status !== 'passed' && <li>Only tasks that ended are recorded. The job may have more.</li>}
        {alone && (
          <li>
            The record came without its files. Commands in errors are hidden because they may contain secrets.
          </li>
        )}
        {sources.map(({ id, type, commit, ref, dirty }) => (
          <li key={id}>
            Source{' '}
            <VisibleText
              text={`${id} (${type ?? 'type not recorded'}), ${ref ?? 'ref not recorded'}, commit ${commit ?? 'not recorded'}${dirty === null ? '' : dirty ? ', with changes' : ', without changes'}`}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}
