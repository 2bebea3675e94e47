import { WaysOn } from '../find/ways-on'

/** The address is one of a CI run, but does not name all that makes one. */
export const NoCiRun = () => (
  <div className="mx-auto max-w-xl space-y-4 px-4 py-12">
    <h1 className="text-lg font-semibold">This address names no CI run</h1>
    <p className="text-ink-2">
      It takes the provider, its own path of the project, percent-encoded as one segment, and the number of
      the run; then, if wanted, the attempt:
    </p>
    <p className="rounded border border-line bg-sunken px-3 py-2">
      <code className="font-mono wrap-anywhere">/ci/github/owner%2Frepo/1234567890/2</code>
    </p>
    <WaysOn />
  </div>
)
