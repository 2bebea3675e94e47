import { CI_PROVIDERS, providerWords } from '@/lib/words/ci'
import { VisibleText } from '../shared/visible-text'

/** The provider of the address is none that is read from variables, and nothing has ever come by its name: likely a slip of the pen. */
export const UnknownProvider = ({ provider }: { provider: string }) => (
  <div role="note" className="space-y-1 rounded border border-line-strong px-3 py-2">
    <p className="font-medium">
      Unknown provider “<VisibleText text={provider} />
      ”.
    </p>
    <p className="text-ink-2">
      Known providers:{' '}
      {CI_PROVIDERS.map((name, place) => (
        <span key={name}>
          {place === 0 ? '' : place === CI_PROVIDERS.length - 1 ? ' and ' : ', '}
          {providerWords(name)} (<code className="font-mono">{name}</code>)
        </span>
      ))}
      . A job can set any other name with <code className="font-mono">INQUEST_CI_PROVIDER</code>.
    </p>
  </div>
)
