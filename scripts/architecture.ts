import { execFileSync } from 'node:child_process'
import { cruise } from 'dependency-cruiser'
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config'
import rules from '../.dependency-cruiser.mjs'

const ROOMS = ['app', 'bench', 'bin', 'cli', 'components', 'db', 'e2e', 'lib', 'scripts', 'server'] as const

export interface Cruised {
  modules: string[]
  violations: { rule: string; from: string; to: string }[]
}

/** Cruises the given files below `baseDir` by the rules of the house. */
export async function cruiseFiles(baseDir: string, files: string[]): Promise<Cruised> {
  const { forbidden, options } = rules as { forbidden: object[]; options: object }
  const tsConfig = extractTSConfig(`${baseDir}/tsconfig.json`)
  const result = await cruise(
    files,
    { ...options, baseDir, ruleSet: { forbidden }, validate: true } as never,
    undefined,
    {
      tsConfig,
    } as never,
  )
  if (typeof result.output === 'string') throw new Error('the cruise answered with text instead of modules')
  const given = new Set(files)
  return {
    modules: result.output.modules.map((m) => m.source).filter((source) => given.has(source)),
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
