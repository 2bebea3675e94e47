import { links } from '@/lib/links'
import { createLiveStream } from './live-stream'
import { createSharedStream } from './shared-stream'

/** A shared worker: one for all pages of this browser, so that they need one connection together. */
const scope = self as unknown as { onconnect: (event: MessageEvent) => void }

const shared = createSharedStream((handlers) => createLiveStream(links.api.live(), handlers))

scope.onconnect = ({ ports }) => {
  const [port] = ports
  if (port) shared.connect(port)
}
