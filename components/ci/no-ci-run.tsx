import { WaysOn } from '../find/ways-on'

/** The address is one of a CI run, but does not name all that makes one. */
export const NoCiRun = () => (
  <div className="mx-auto max-w-xl space-y-4 px-4 py-12">
    <h1 className="text-lg font-semibold">Invalid CI run URL</h1>
    <p className="text-ink-2">
      The URL needs the provider, the provider’s project path (percent-encoded as one segment) and the run
      number. The attempt is optional:
    </p>
    <p className="rounded border border-line bg-sunken px-3 py-2">
      <code className="font-mono wrap-anywhere">/ci/github/owner%2Frepo/1234567890/2</code>
    </p>
    <WaysOn />
  </div>
)
