import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'
import { cruise } from 'dependency-cruiser'
import rules from '../.dependency-cruiser.mjs'

const ROOMS = ['app', 'bench', 'bin', 'cli', 'components', 'db', 'e2e', 'lib', 'scripts', 'server'] as const

export interface ModuleImport {
  from: string
  to: string
  /** Only types are imported: nothing of it is left at run time. */
  isTypeOnly: boolean
  /** `import()`: loaded when the code that needs it runs. */
  isDynamic: boolean
}

export interface Cruised {
  modules: string[]
  /** Between the given files only: neither packages nor Node's own modules. */
  imports: ModuleImport[]
  violations: { rule: string; from: string; to: string }[]
}

/** Cruises the given files below `baseDir` by the rules of the house. */
export async function cruiseFiles(baseDir: string, files: string[]): Promise<Cruised> {
  const { forbidden, options } = rules as { forbidden: object[]; options: object }
  // An alias of the resolver instead of `paths` of the tsconfig: the plugin that reads those costs about
  // a millisecond for each import.
  const alias = { '@': resolve(baseDir) }
  const result = await cruise(
    files,
    { ...options, baseDir, ruleSet: { forbidden }, validate: true } as never,
    { alias } as never,
  )
  if (typeof result.output === 'string') throw new Error('the cruise answered with text instead of modules')
  const given = new Set(files)
  return {
    modules: result.output.modules.map((m) => m.source).filter((source) => given.has(source)),
    imports: result.output.modules.flatMap(({ source, dependencies }) =>
      dependencies
        .filter(({ resolved }) => given.has(source) && given.has(resolved))
        .map(({ resolved, dependencyTypes }) => ({
          from: source,
          to: resolved,
          isTypeOnly: dependencyTypes.includes('type-only'),
          isDynamic: dependencyTypes.includes('dynamic-import'),
        })),
    ),
    violations: result.output.summary.violations.map((v) => ({ rule: v.rule.name, from: v.from, to: v.to })),
  }
}

/** Every source module that git knows or would know: tracked and not ignored. */
export function listModules(baseDir: string): string[] {
  const out = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--deduplicate', ...ROOMS], {
    cwd: baseDir,
    encoding: 'utf8',
  })
  return out.split('\n').filter((path) => /[.](ts|tsx|mjs)$/.test(path))
}
