import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { countLiveStreams } from './live-streams'

interface Metrics {
  registry: Registry
  requests: Counter<'route' | 'method' | 'status'>
  seconds: Histogram<'route' | 'method'>
  ingestBytes: Counter<'kind'>
  ingestRecords: Counter<'kind' | 'what'>
}

const KEY = Symbol.for('inquest.metrics')
const holder = globalThis as { [KEY]?: Metrics }

function create(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'inquest_' })
  const registers = [registry]
  new Gauge({
    registers,
    name: 'inquest_live_streams',
    help: 'Event streams that are open: one for each browser that shows a page',
    collect() {
      this.set(countLiveStreams())
    },
  })
  return {
    registry,
    requests: new Counter({
      registers,
      name: 'inquest_requests_total',
      help: 'Answers of the doors',
      labelNames: ['route', 'method', 'status'],
    }),
    seconds: new Histogram({
      registers,
      name: 'inquest_request_seconds',
      help: 'Time until a door answered',
      labelNames: ['route', 'method'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    }),
    ingestBytes: new Counter({
      registers,
      name: 'inquest_ingest_bytes_total',
      help: 'Bytes that were taken in, after decoding',
      labelNames: ['kind'],
    }),
    ingestRecords: new Counter({
      registers,
      name: 'inquest_ingest_records_total',
      help: 'Records by what became of them',
      labelNames: ['kind', 'what'],
    }),
  }
}

/** One set for the process. Names of routes are patterns, and kinds a closed list: no label grows with the data. */
export const metrics = (): Metrics => (holder[KEY] ??= create())
