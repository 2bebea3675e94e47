import { queryOptions } from '@tanstack/react-query'
import type { CiExecutions } from '@/lib/api/decision-schemas'
import { links } from '@/lib/links'
import { getJson } from '../shared/get-json'
import type { CiAddress } from '@/lib/model/ci-run'

export const ciQueries = {
  /** The executions of all attempts of a CI run. */
  run: ({ provider, path, run }: Pick<CiAddress, 'provider' | 'path' | 'run'>) =>
    queryOptions({
      queryKey: ['ci', provider, path, run] as const,
      queryFn: ({ signal }) => getJson<CiExecutions>(links.api.ciRuns({ provider, path, run }), signal),
    }),
}
