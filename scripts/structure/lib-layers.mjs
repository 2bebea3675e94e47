/**
 * The declared order of `lib`: each layer imports only from itself and from those before it. An entry is a folder
 * with everything below it, or one module. docs/ARCHITECTURE.md says what each layer contains, and why the smaller
 * ones are where they are; `.dependency-cruiser.mjs` has a rule for each.
 *
 * @type {readonly { name: string, paths: readonly string[] }[]}
 */
export const LIB_LAYERS = [
  { name: 'limits', paths: ['lib/limits.ts'] },
  { name: 'text', paths: ['lib/text', 'lib/bytes'] },
  { name: 'model', paths: ['lib/model'] },
  { name: 'addresses', paths: ['lib/links.ts', 'lib/problem.ts', 'lib/program-command.ts'] },
  { name: 'service', paths: ['lib/admission', 'lib/audit', 'lib/auth', 'lib/connections', 'lib/live'] },
  { name: 'formats', paths: ['lib/formats'] },
  { name: 'judge-rules', paths: ['lib/judge/rule-table.ts', 'lib/judge/message-text.ts'] },
  { name: 'judge-calls', paths: ['lib/judge/calls'] },
  { name: 'judge-resolutions', paths: ['lib/judge/resolutions'] },
  { name: 'judge-outcomes', paths: ['lib/judge/outcomes'] },
  { name: 'judge-causes', paths: ['lib/judge/causes'] },
  { name: 'judge-retry', paths: ['lib/judge/retry'] },
  { name: 'judge-decisions', paths: ['lib/judge/decisions'] },
  { name: 'judge-receipts', paths: ['lib/judge/receipts'] },
  { name: 'judge-diagnosis', paths: ['lib/judge/diagnosis'] },
  { name: 'judge-parity', paths: ['lib/judge/parity'] },
  { name: 'judge-patches', paths: ['lib/judge/patches'] },
  { name: 'judge-fixes', paths: ['lib/judge/fixes'] },
  { name: 'judge-changes', paths: ['lib/judge/changes'] },
  { name: 'judge-groups', paths: ['lib/judge/groups'] },
  { name: 'words', paths: ['lib/words'] },
  { name: 'analysis', paths: ['lib/analysis'] },
  { name: 'views', paths: ['lib/views'] },
  { name: 'sample', paths: ['lib/sample'] },
  { name: 'api', paths: ['lib/api'] },
]

/**
 * The places that a layer may not import.
 *
 * @param {string} name of the layer
 * @returns {string[]}
 */
export const placesAbove = (name) =>
  LIB_LAYERS.slice(LIB_LAYERS.findIndex((layer) => layer.name === name) + 1).flatMap(({ paths }) => paths)
