import { LoadSample } from '../first-run/load-sample'

/** The sample, for whoever comes when records are there already. */
export const SampleSection = ({ mayLoad }: { mayLoad: boolean }) => (
  <section aria-labelledby="sample" className="max-w-xl space-y-2">
    <h2 id="sample" className="font-semibold">
      Sample
    </h2>
    <p className="text-ink-2">
      Explore a few made-up sessions with common failures. They are stored in a separate source named
      “sample”.
    </p>
    <LoadSample mayLoad={mayLoad} />
  </section>
)
