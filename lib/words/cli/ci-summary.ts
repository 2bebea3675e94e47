import { countOf } from '../../text/amounts'

/** What `inquest ci-summary` prints and writes. */
export const ciSummaryText = {
  nothingArrived: ({ name }: { name: string }) =>
    `Inquest: nothing of ${name} has arrived yet. The run’s page opens the failure when it arrives:`,
  allFailures: ({ url }: { url: string }) => `All failures of the run: ${url}`,
  failuresNotLoaded: ({ what, reason }: { what: string; reason: string }) =>
    `Inquest: could not load the failures of ${what}: ${reason}`,
  seeRunPage: 'See the run’s page:',
  otherCauses: ({ failures }: { failures: number }) =>
    `${countOf(failures, 'failure')} with other causes on the run’s page.`,
  otherJobs: ({ failures }: { failures: number }) =>
    `${countOf(failures, 'failure')} in other jobs of this run: see its page.`,
  notCounted: ({ executions }: { executions: number }) =>
    `${countOf(executions, 'more execution')} of this run not counted here.`,

  linkLabel: 'All failures of this run',

  nothingArrivedSummary: ({ name, url }: { name: string; url: string }) =>
    `## Inquest: nothing has arrived yet\n\nNothing of ${name} has arrived yet. [The run’s page](${url}) opens the failure as soon as it arrives.\n`,
  failuresNotLoadedSummary: ({ what, reason }: { what: string; reason: string }) =>
    `Could not load the failures of ${what}: ${reason}`,
  runPageLater: ({ url }: { url: string }) =>
    `[The run’s page](${url}) shows them once the server is reachable and the records have arrived.`,

  seeFailuresAt: ({ url }: { url: string }) => ` See this run’s failures at ${url}`,
  notWritten: ({ file, code }: { file: string; code: undefined | string }) =>
    `${file} could not be written (${code}).`,
  notInKnownCi: ({ missing }: { missing: readonly string[] }) =>
    `Set ${missing.join(', ')}, or run it in a CI job (docs/ci.md lists the supported systems).`,
}
