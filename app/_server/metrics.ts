import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { countLiveStreams } from './live-streams'
import { PROBLEMS } from '@/lib/problem'
import { metricsText } from '@/lib/words/server/metrics'

interface Metrics {
  registry: Registry
  requests: Counter<'route' | 'method' | 'status'>
  seconds: Histogram<'route' | 'method'>
  ingestBytes: Counter<'kind'>
  ingestRecords: Counter<'kind' | 'what'>
  analysisFailures: Gauge
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
    help: metricsText.openStreams,
    collect() {
      this.set(countLiveStreams())
    },
  })
  const analysisFailures = new Gauge({
    registers,
    name: 'inquest_analysis_failures',
    help: metricsText.failedAnalyses,
  })
  // Zero would say that none failed before anybody has counted.
  analysisFailures.remove()
  return {
    registry,
    analysisFailures,
    requests: new Counter({
      registers,
      name: 'inquest_requests_total',
      help: metricsText.requests,
      labelNames: ['route', 'method', 'status'],
    }),
    seconds: new Histogram({
      registers,
      name: 'inquest_request_seconds',
      help: metricsText.responseTime,
      labelNames: ['route', 'method'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    }),
    ingestBytes: new Counter({
      registers,
      name: 'inquest_ingest_bytes_total',
      help: metricsText.bytesIngested,
      labelNames: ['kind'],
    }),
    ingestRecords: new Counter({
      registers,
      name: 'inquest_ingest_records_total',
      help: 'Records by result',
      labelNames: ['kind', 'what'],
    }),
  }
}

/** One set for the process. Every label comes from a closed list, so requests cannot add to what is kept. */
export const metrics = (): Metrics => (holder[KEY] ??= create())

/** @param count null: it is not known */
export function noteAnalysisFailures(count: number | null): void {
  const { analysisFailures } = metrics()
  if (count === null) analysisFailures.remove()
  else analysisFailures.set(count)
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
/** What the routes and the framework answer with besides problems; other statuses are counted by their class. */
const STATUSES = new Set([
  200,
  201,
  202,
  204,
  206,
  302,
  304,
  307,
  308,
  405,
  416,
  499,
  ...Object.values(PROBLEMS).map(({ status }) => status),
])

/** @param route label of the route, as `defineRoute` has it: never the address of the request */
export function countRequest(route: string, sentMethod: string, sentStatus: number, seconds: number): void {
  const method = METHODS.has(sentMethod) ? sentMethod : 'other'
  const status = STATUSES.has(sentStatus) ? String(sentStatus) : `${Math.floor(sentStatus / 100)}xx`
  metrics().requests.inc({ route, method, status })
  metrics().seconds.observe({ route, method }, seconds)
}
