import { randomUUID } from 'node:crypto'
import { links } from '../../lib/links'
import type { seedWith } from './test'

/** A CI run of a test's own; each job is named when it is sent. */
export const ciRun = (provider = 'github') => ({
  provider,
  path: `acme/shop-${randomUUID().slice(0, 8)}`,
  run: '9012345678',
  attempt: 1,
  branch: 'main',
  commit: '1bf6fcf1d2a3b4c5d6e7f8091a2b3c4d5e6f7081',
  url: 'https://ci.example/acme/shop/actions/runs/9012345678',
})

/** A CI run with two attempts, several failures, something open, something that succeeded, and a job with a long name. */
export async function richCiRun(seed: ReturnType<typeof seedWith>): Promise<ReturnType<typeof ciRun>> {
  const ci = ciRun()
  const failing = { result: null, exitCode: 3, stderr: 'the oven is cold\n' }
  for (const job of ['bake', `a job with a very long name ${'and_no_blank_to_break_at_'.repeat(4)}`])
    await seed.run({ ...failing, ci: { ...ci, attempt: 2, job } })
  await seed.run({
    result: 'No path.\n%%DONE%%',
    marker: '%%DONE%%',
    expect: ['plan_path = /.+'],
    ci: { ...ci, attempt: 2, job: null },
  })
  await seed.run({ result: null, withoutEnd: true, ci: { ...ci, attempt: 2, job: 'deploy' } })
  await seed.run({ ci: { ...ci, attempt: 2, job: 'wash' } })
  await seed.run({ ...failing, ci: { ...ci, attempt: 1, job: 'bake' } })
  await seed.run({ ci: { ...ci, run: '2', job: 'wash' } })
  return ci
}

/** Every face of the page of a CI run. */
export const ciPagesOf = ({
  provider,
  path,
  run,
}: ReturnType<typeof ciRun>): [name: string, path: string][] => [
  ['CI run', links.ciRun(provider, path, run)],
  ['CI run, its only failure as a list', links.ciRun(provider, path, run, 1, { view: 'list' })],
  ['CI run that waits for an attempt', links.ciRun(provider, path, run, 3)],
  ['CI run that waits', links.ciRun(provider, path, '3')],
  ['CI run without a failure', links.ciRun(provider, path, '2')],
  ['the only failure of a CI run', links.ciRun(provider, path, run, 1)],
  ['no CI run', `${links.ciRoot()}/github`],
]
