import { LIB_LAYERS } from './lib-layers.mjs'

/** The declared order of `lib` as lists of folders and modules: those of one entry are one layer. */
export const LAYERS: readonly (readonly string[])[] = LIB_LAYERS.map(({ paths }) => paths)

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
