import { links } from '../lib/links'
import { NARROW, pageFaults, WIDE } from './support/check-page'
import { behindTheBack } from './support/database'
import { admin, redeemLink } from './support/people'
import { expect, ownTest, seedWith } from './support/test'

ownTest(
  'an execution whose analysis failed is found in Settings and retried; a rebuild of the project is watched, stopped and run to its end',
  async ({ own, page, request }) => {
    ownTest.slow()
    const inquest = await own.start()
    const seed = seedWith(request, inquest)
    const ids: string[] = []
    for (const name of ['first', 'second', 'third'])
      ids.push(await seed.execution(seed.transcript().user(`Do the ${name} thing`).says('Done.')))
    await behindTheBack(inquest, (sql) =>
      sql.begin(async (tx) => {
        await tx`set local inquest.rebuilding = 'on'`
        await tx`update events set facts = '{"calls": 5}' where execution_id = ${ids[0]!} and byte_offset = 0`
      }),
    )
    await redeemLink(page, inquest.link, admin)
    await page.goto(inquest.url + links.settings('sources'))
    await expect(page.getByRole('heading', { name: 'Failed analyses' })).toHaveCount(0)
    // An instance admin may read the metrics; counted at the start of the server.
    await expect
      .poll(async () => (await page.request.get(`${inquest.url}/metrics`)).text())
      .toContain('\ninquest_analysis_failures 0\n')
    const headers = { authorization: `Bearer ${inquest.token}` }
    const failed = await request.post(inquest.url + links.api.reingest(), {
      headers,
      data: { execution: ids[0] },
    })
    expect(await failed.json()).toMatchObject({ quarantined: 1 })

    await page.reload()
    const failures = page.getByRole('region', { name: 'Failed analyses' })
    await expect(failures).toContainText('Inquest failed to analyse 1 execution. All records are kept.')
    await expect(failures.getByRole('listitem')).toContainText('TypeError')
    await expect(failures.getByRole('link')).toHaveAttribute('href', links.execution(ids[0]!))
    expect(
      await pageFaults(page, { sizes: [WIDE, NARROW], within: 'section[aria-labelledby=analysis-failures]' }),
    ).toEqual([])
    await failures.getByRole('button', { name: 'Retry analysis' }).click()
    await expect(failures.getByRole('status')).toContainText('failed again')
    await expect(failures.getByRole('listitem')).toContainText('failed 2 times')

    const rebuild = page.getByRole('region', { name: 'Rebuild' })
    const status = rebuild.getByRole('status')
    const start = async (): Promise<void> => {
      await rebuild.getByRole('button', { name: 'Rebuild default' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Start rebuild' }).click()
    }
    await expect(rebuild).toContainText('Never rebuilt')
    await rebuild.getByRole('button', { name: 'Rebuild default' }).click()
    await page
      .getByRole('dialog', { name: 'Rebuild default?' })
      .getByRole('button', { name: 'Cancel' })
      .click()
    await expect(rebuild).toContainText('Never rebuilt')

    // While somebody else holds the records, the first step waits for them.
    await behindTheBack(inquest, (sql) =>
      sql.begin(async (tx) => {
        await tx`lock table events in exclusive mode`
        await start()
        await expect(status).toContainText('Reading 0 of 3 streams')
        await expect(rebuild.getByRole('progressbar', { name: 'Rebuilding default' })).toBeVisible()
        expect(
          await pageFaults(page, { sizes: [WIDE, NARROW], within: 'section[aria-labelledby=rebuild]' }),
        ).toEqual([])
        await rebuild.getByRole('button', { name: 'Stop rebuilding default' }).click()
        await expect(status).toContainText('Stopping after the current step')
      }),
    )
    await expect(status).toContainText('Stopped. Rebuilt so far: 3 streams, 0 executions and', {
      timeout: 30_000,
    })

    await start()
    await expect(status).toContainText('Rebuilt 3 streams, 3 executions and 6 records', { timeout: 30_000 })
    await expect(rebuild.getByRole('button', { name: 'Rebuild default' })).toBeVisible()
    await expect(failures.getByRole('listitem')).toHaveCount(0)
    expect((await seed.read(ids[0]!)).analysisFailure).toBeNull()
  },
)
