import type { ByteText } from './bytes'

/** Says of the lines of a hunk, in their order, whether each sets how checks are run. */
type LineJudge = (text: string) => boolean

/** For the manifests that hold settings of checks among others; null for any other file. */
export function settingsOfChecks(path: ByteText): LineJudge | null {
  if (/(?:^|\/)package\.json$/.test(path)) return ofPackage()
  if (/(?:^|\/)pyproject\.toml$/.test(path)) return ofPyproject()
  return null
}

const SCRIPTS = /"scripts"\s{0,8}:\s{0,8}\{/
/** Scripts by the names that people give to checks, and settings of tools that are in a manifest. */
const SCRIPT =
  /^\s{0,40}"(?:(?:pre|post)?(?:test|lint|type-?check|tsc|check|verify|validate|ci|coverage|e2e|unit|integration|build|prepare|format|audit)\b[\w:.-]{0,60})"\s{0,8}:\s{0,8}"(?![\^~<>=]?v?\d|\*|latest"|workspace:|npm:)/
const TOOL =
  /"(?:jest|eslintConfig|eslintIgnore|prettier|nyc|c8|ava|mocha|vitest|lint-staged|husky|simple-git-hooks|stylelint|xo|tap|coverageThreshold)"\s{0,8}:\s{0,8}[{[]/

function ofPackage(): LineJudge {
  let isIn = false
  return (text) => {
    if (SCRIPTS.test(text)) isIn = true
    if (/^\s{0,40}\}/.test(text)) isIn = false
    const holds = (isIn && text.trim() !== '') || SCRIPT.test(text) || TOOL.test(text)
    if (/\},?\s{0,8}$/.test(text)) isIn = false
    return holds
  }
}

const TABLE = /^\s{0,40}\[{1,2}\s{0,8}([\w."' -]{1,200}?)\s{0,8}\]{1,2}/
/** Tables of what a project is and needs; all others set tools. */
const OF_PROJECT =
  /^(?:project|build-system|dependency-groups|tool\.(?:poetry|pdm|uv|setuptools|hatch|flit|maturin|setuptools_scm)(?!\.envs))/
/** A requirement, or what a project is called and which one it is. */
const REQUIREMENT =
  /^\s{0,40}(?:["'][\w.-]{1,100}(?:\[[\w, -]{0,100}\])?\s{0,8}(?:[<>=~!@;][^"']{0,200})?["'],?\s{0,8}$|[\w.-]{1,100}\s{0,8}=\s{0,8}(?:["'][\^~<>=!*]{0,2}\s?\d|\{\s?version\b))|^\s{0,40}(?:name|version|description|authors|readme|license|requires-python|keywords|classifiers|dependencies)\s{0,8}=/

function ofPyproject(): LineJudge {
  let table: string | null = null
  return (text) => {
    const header = TABLE.exec(text)
    if (header) table = header[1]!.replace(/["' ]/g, '')
    if (text.trim() === '' || /^\s{0,40}#/.test(text)) return false
    return table === null ? !REQUIREMENT.test(text) : !OF_PROJECT.test(table)
  }
}
