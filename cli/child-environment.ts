import type { Environment } from './settings'

/**
 * Variables of ours that open the server or what it reads. Names that are not only ours stay: `DATABASE_URL` is what a project calls its own
 * database, and a recorded command must find it. (docs/decisions/0034-local-keys.md)
 */
const SECRETS = new Set([
  'INQUEST_TOKEN',
  'INQUEST_SECRET',
  'INQUEST_METRICS_TOKEN',
  'INQUEST_SOURCE_CREDENTIAL',
  'INQUEST_SOURCE_DATABASE',
])

/** Set for a recorded command, so that hooks of its agent leave their frames to the recorder, which has the key. */
export const RECORDED = 'INQUEST_RECORD_ID'

/** The environment for a program that is not ours. Upper case, as Windows compares them. */
export const withoutSecrets = (env: Environment): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) => !SECRETS.has(name.toUpperCase())),
  ) as unknown as NodeJS.ProcessEnv
