import type { Syntax } from 'refractor/core'
import type { Grammar } from '@/lib/views/fixes/syntax'

/** Each grammar is a file of its own, loaded by the worker when a file of its kind is opened. */
export const grammars: Record<Grammar, () => Promise<{ default: Syntax }>> = {
  typescript: () => import('refractor/typescript'),
  tsx: () => import('refractor/tsx'),
  javascript: () => import('refractor/javascript'),
  jsx: () => import('refractor/jsx'),
  json: () => import('refractor/json'),
  python: () => import('refractor/python'),
  go: () => import('refractor/go'),
  rust: () => import('refractor/rust'),
  java: () => import('refractor/java'),
  ruby: () => import('refractor/ruby'),
  bash: () => import('refractor/bash'),
  yaml: () => import('refractor/yaml'),
  css: () => import('refractor/css'),
  sql: () => import('refractor/sql'),
  c: () => import('refractor/c'),
  markup: () => import('refractor/markup'),
  toml: () => import('refractor/toml'),
}
