import type { ExchangeFact, PatchFileFact } from '../../model/pipeline-facts'
import { taskFileName } from '../../formats/async-pipeline/layout'
import { hasFailed, type Held, type PipelineRun, type PipelineTask } from '../outcomes/pipeline-run'
import { capText } from '../../text/cap-text'
import { limits } from '../../limits'
import type { FixAgent, FixProposal } from '../../model/fix'

/** What the files of a run say of a patch; everything else that a proposal has is unknown. */
export type FoundProposal = Pick<
  FixProposal,
  'task' | 'origin' | 'fileName' | 'mode' | 'budget' | 'proposedAt'
> & { agent: Pick<FixAgent, 'profile' | 'model'> }

/** A patch that lies with a run, as the fix that it proposes. */
export interface FoundInRun<Proposal = FoundProposal> {
  patch: Held<PatchFileFact>
  proposal: Proposal
  /** Of the task that it is of; null where that is not known. */
  task: PipelineTask | null
  /** The exchange in which it was made; null where none is known to be that. */
  exchange: Held<ExchangeFact> | null
}

/**
 * The patches of a run that can be proposed as fixes. One waits while it is not known which task it is of and more of the record may come: the same
 * bytes would be proposed again for the task that they turn out to be of.
 */
export function foundInRun(run: PipelineRun): FoundInRun[] {
  const { record, tasks, patches } = run
  return patches.slice(0, limits.runPatchesMax).flatMap((patch) => {
    const { of, origin, size } = patch.fact
    const isHook = origin === 'fixes-dir'
    const makers = tasks.filter(({ fact }) => (isHook ? taskFileName(fact.id) === of : fact.cacheKey === of))
    const [task = null] = makers.length === 1 ? makers : []
    const isOver = record !== null && record.fact.finishedAt !== null
    if (size > limits.patchBytesMax || (task === null && !isOver)) return []
    const exchange = task === null ? null : exchangeOf(task, isHook)
    return [{ patch, task, exchange, proposal: proposalOf(run, patch.fact, task, exchange?.fact ?? null) }]
  })
}

/**
 * An agent's exchange with its task has a file, of which the last one stays. A task that left a patch as its output made it there; a hook runs when
 * its task has failed, so what is older is an agent step of that task.
 */
function exchangeOf({ exchange, fact }: PipelineTask, isHook: boolean): Held<ExchangeFact> | null {
  if (exchange === null) return null
  if (!isHook) return fact.status === 'passed' ? exchange : null
  const { at } = exchange.fact
  return at !== null && fact.finishedAt !== null && at >= fact.finishedAt ? exchange : null
}

function proposalOf(
  { record }: PipelineRun,
  { origin, fileName }: PatchFileFact,
  task: PipelineTask | null,
  exchange: ExchangeFact | null,
): FoundProposal {
  const isHook = origin === 'fixes-dir'
  const response = exchange?.response ?? null
  return {
    task: task?.fact.id ?? '',
    origin,
    fileName,
    mode: record?.fact.mode ?? null,
    // No limit is written anywhere. What a task took that only made the patch is recorded; what a hook took is not.
    budget: {
      attempts: { limit: null, used: isHook || task === null || hasFailed(task) ? null : task.fact.attempts },
      wallClockMs: {
        limit: null,
        used: isHook || task === null || hasFailed(task) ? null : task.fact.durationMs,
      },
      endedBy: response?.timedOut === true ? 'wall-clock' : response?.code === 0 ? 'completed' : null,
    },
    agent: { profile: clipped(exchange?.profile), model: clipped(exchange?.model) },
    proposedAt: response?.at ?? (isHook ? null : (task?.fact.finishedAt ?? null)),
  }
}

const clipped = (text: string | null | undefined): string | null => (text == null ? null : capText(text, 200))
