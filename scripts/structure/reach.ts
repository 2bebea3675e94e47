import type { ModuleImport } from '../architecture'
import { CONFORMANCE_ENTRIES, isTestCode, PRODUCT_ENTRIES } from './layers'

const PRODUCT = /^(app|cli|components|db|lib|server)\//

/**
 * Modules of the product that the conformance run imports and that no page, route, command, thread or
 * start of the server reaches. By whole modules: an export that only conformance uses, in a module that
 * the product needs, is not seen here.
 */
export function onlyForConformance(modules: readonly string[], imports: readonly ModuleImport[]): string[] {
  const entries = (patterns: readonly RegExp[]): string[] =>
    modules.filter((path) => !isTestCode(path) && patterns.some((pattern) => pattern.test(path)))
  const product = reach(entries(PRODUCT_ENTRIES), imports)
  const conformance = reach(entries(CONFORMANCE_ENTRIES), imports)
  return modules
    .filter((path) => PRODUCT.test(path) && !isTestCode(path) && conformance.has(path) && !product.has(path))
    .sort()
}

export function reach(entries: readonly string[], imports: readonly ModuleImport[]): Set<string> {
  const targets = groupTargets(imports)
  const reached = new Set(entries)
  // A Set yields what is added while it is walked.
  for (const path of reached) for (const target of targets.get(path) ?? []) reached.add(target)
  return reached
}

function groupTargets(imports: readonly ModuleImport[]): Map<string, string[]> {
  const targets = new Map<string, string[]>()
  for (const { from, to } of imports) {
    const known = targets.get(from)
    if (known) known.push(to)
    else targets.set(from, [to])
  }
  return targets
}
