/**
 * The declared order, as data: each layer of `lib` imports only from the layers before it. Folders of one
 * entry are one layer. A folder that does not exist yet is listed already, so that its first import is
 * counted. docs/ARCHITECTURE.md explains each layer.
 */
export const LAYERS: readonly (readonly string[])[] = [
  ['lib/text', 'lib/bytes'],
  ['lib/model'],
  ['lib/formats'],
  [
    'lib/judge/calls',
    'lib/judge/outcomes',
    'lib/judge/causes',
    'lib/judge/decisions',
    'lib/judge/receipts',
    'lib/judge/diagnosis',
    'lib/judge/parity',
    'lib/judge/patches',
    'lib/judge/fixes',
    'lib/judge/changes',
    'lib/judge/groups',
    'lib/judge/analysis',
  ],
  ['lib/words'],
  ['lib/views'],
  ['lib/api'],
]

/**
 * Layers whose folders have an order among themselves: a later folder may import an earlier one, not the
 * other way round.
 */
export const ORDERED_WITHIN = 'lib/judge/'

/**
 * What runs in the product: everything that a page, a route, a command, a thread or the start of the
 * server reaches is product code.
 */
export const PRODUCT_ENTRIES: readonly RegExp[] = [
  /^app\/(.*\/)?(page|layout|route|loading|error|not-found|forbidden|template|default|global-error)[.]tsx?$/,
  /^(instrumentation|proxy)[.]ts$/,
  /^cli\/(inquest|hook\/main|record\/main)[.]ts$/,
  /^server\/up[.]ts$/,
  /^db\/threads\/(ingest|patch)-thread[.]ts$/,
  /^components\/receipt-file\/main[.]ts$/,
]

/** Where the conformance run begins. */
export const CONFORMANCE_ENTRIES: readonly RegExp[] = [
  /^scripts\/conformance[.]ts$/,
  /^scripts\/conformance\//,
]

/** Modules outside the rooms that start product code. */
export const ROOT_MODULES = ['instrumentation.ts', 'proxy.ts'] as const

/** Tests and what only they use: never counted as an import, a line or an entry. */
export const isTestCode = (path: string): boolean =>
  /[.](test|support|fixture)[.]tsx?$/.test(path) ||
  /(^|\/)testing\//.test(path) ||
  /(^|\/)test-support[.]ts$/.test(path)
