import { CONTENT_STATES } from '@/lib/judge/decisions/vocabulary'
import { FACETS, type ExecutionFilter } from '@/lib/model/filter-types'
import { FAILURE_CLASSES } from '@/lib/model/execution'
import type { Random } from '../support/random'
import { BRANCHES, REPOSITORIES, repositoryName, SOURCES, sourceName } from './seed-list'

export interface ListCase {
  name: string
  /** What is asked: a page, the facets with their counts, or the number of matches. */
  ask: 'page' | 'page 50' | 'facets' | 'count'
  filter: (random: Random, words: Words) => ExecutionFilter
}

/** Words of the seeded rows, by how many rows hold them. */
export interface Words {
  common: string[]
  rare: string[]
  single: string[]
}

export const filterOf = (
  facets: Partial<ExecutionFilter['facets']>,
  words: string[] = [],
): ExecutionFilter => ({
  facets: {
    ...(Object.fromEntries(FACETS.map((facet) => [facet, []])) as unknown as ExecutionFilter['facets']),
    ...facets,
  },
  words,
})

const repository = (random: Random): string => repositoryName(random.skewed(REPOSITORIES))
const branch = (random: Random): string => (random.chance(0.3) ? 'main' : `feature/${random.int(BRANCHES)}`)
const HELP = ['cannot-help', 'could-help', 'helped']
const failedOnly = (): ExecutionFilter => filterOf({ outcome: ['failed'] })

export const LIST_CASES: readonly ListCase[] = [
  { name: 'no filter', ask: 'page', filter: () => filterOf({}) },
  { name: 'outcome=failed', ask: 'page', filter: failedOnly },
  { name: 'source', ask: 'page', filter: (r) => filterOf({ source: [sourceName(r.int(SOURCES))] }) },
  { name: 'repository', ask: 'page', filter: (r) => filterOf({ repository: [repository(r)] }) },
  { name: 'class', ask: 'page', filter: (r) => filterOf({ class: [r.pick(FAILURE_CLASSES)] }) },
  { name: 'branch', ask: 'page', filter: (r) => filterOf({ branch: [branch(r)] }) },
  {
    name: 'failed + repository',
    ask: 'page',
    filter: (r) => filterOf({ outcome: ['failed'], repository: [repository(r)] }),
  },
  {
    name: 'class + branch',
    ask: 'page',
    filter: (r) => filterOf({ class: [r.pick(FAILURE_CLASSES)], branch: [branch(r)] }),
  },
  { name: 'state', ask: 'page', filter: (r) => filterOf({ state: [r.pick(CONTENT_STATES)] }) },
  { name: 'help', ask: 'page', filter: (r) => filterOf({ help: [r.pick(HELP)] }) },
  {
    name: 'help + repository',
    ask: 'page',
    filter: (r) => filterOf({ help: [r.pick(HELP)], repository: [repository(r)] }),
  },
  {
    name: 'state + help',
    ask: 'page',
    filter: (r) => filterOf({ state: [r.pick(CONTENT_STATES)], help: [r.pick(HELP)] }),
  },
  { name: 'decided=inferred', ask: 'page', filter: () => filterOf({ decided: ['inferred'] }) },
  {
    name: 'failed + inferred',
    ask: 'page',
    filter: () => filterOf({ outcome: ['failed'], decided: ['inferred'] }),
  },
  { name: 'text, common word', ask: 'page', filter: (r, w) => filterOf({}, [r.pick(w.common)]) },
  { name: 'text, rare word', ask: 'page', filter: (r, w) => filterOf({}, [r.pick(w.rare)]) },
  { name: 'text, in one row', ask: 'page', filter: (r, w) => filterOf({}, [r.pick(w.single)]) },
  {
    name: 'failed + common word',
    ask: 'page',
    filter: (r, w) => filterOf({ outcome: ['failed'] }, [r.pick(w.common)]),
  },
  { name: 'no filter', ask: 'page 50', filter: () => filterOf({}) },
  { name: 'outcome=failed', ask: 'page 50', filter: failedOnly },
  { name: 'class=exit_code', ask: 'page 50', filter: () => filterOf({ class: ['exit_code'] }) },
  { name: 'no filter', ask: 'facets', filter: () => filterOf({}) },
  { name: 'outcome=failed', ask: 'facets', filter: failedOnly },
  {
    name: 'failed + repository',
    ask: 'facets',
    filter: (r) => filterOf({ outcome: ['failed'], repository: [repository(r)] }),
  },
  { name: 'state', ask: 'facets', filter: (r) => filterOf({ state: [r.pick(CONTENT_STATES)] }) },
  { name: 'decided=inferred', ask: 'facets', filter: () => filterOf({ decided: ['inferred'] }) },
  {
    name: 'failed + common word',
    ask: 'count',
    filter: (r, w) => filterOf({ outcome: ['failed'] }, [r.pick(w.common)]),
  },
  {
    name: 'failed + repository',
    ask: 'count',
    filter: (r) => filterOf({ outcome: ['failed'], repository: [repository(r)] }),
  },
]
