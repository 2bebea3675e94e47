import type { SecretLintRuleContext, SecretLintRuleCreator, SecretLintSourceCode } from '@secretlint/types'
import type { Finding } from './finding'
import { at, findAnthropic, findMails, findPrivateKeys } from './own-rules'
import { mayHoldCredential, mayHoldMail } from './prefilter'

/** Finds the secrets and mail addresses of a plain text (no escapes in it). */
export type FindSecrets = (text: string) => Finding[]

interface Report {
  start: number
  end: number
  message: string
  values: string[]
}

let loading: Promise<FindSecrets> | undefined

/** The rules, loaded on first need: most lines never need them, and a hook must start fast. */
export const loadRules = (): Promise<FindSecrets> => (loading ??= makeRules())

/**
 * Runs the rules of secretlint's recommended preset by themselves. Not through `lintSource`: that one obeys "disable" comments in the
 * text, which is written by the agent here, and keeps a performance entry for each call for as long as the process lives.
 */
async function makeRules(): Promise<FindSecrets> {
  const { rules } = await import('@secretlint/secretlint-rule-preset-recommend')
  const runners = rules.filter((rule) => shortName(rule) !== 'filter-comments').flatMap(runnersOf)
  return (text) => {
    const found = mayHoldMail(text) ? findMails(text) : []
    if (!mayHoldCredential(text)) return found
    found.push(...findPrivateKeys(text), ...findAnthropic(text))
    for (const run of runners) found.push(...run(text))
    return found
  }
}

const shortName = (rule: SecretLintRuleCreator): string => rule.meta.id.replace(/^.*secretlint-rule-/, '')

/** Some rules look at the name of the file first: they get each name under which they would look. */
function runnersOf(creator: SecretLintRuleCreator): FindSecrets[] {
  const rule = shortName(creator)
  const names: { filePath?: string; ext: string }[] = [{ ext: '' }]
  if (rule === 'npm') names.push({ filePath: '.npmrc', ext: '' })
  if (rule === 'gcp') names.push({ ext: '.json' })
  const collected: Report[] = []
  const handlers = creator.create(contextFor(collected), {})
  return names.map((name) => (text) => {
    collected.length = 0
    // Every rule of the preset answers at once; only one for PKCS#12 files, which needs a file, is asynchronous.
    void handlers.file?.({
      content: text,
      contentType: 'text',
      hasBOM: false,
      ...name,
    } as unknown as SecretLintSourceCode)
    return collected.flatMap((report) => narrow(rule, report, text))
  })
}

function contextFor(collected: Report[]): SecretLintRuleContext {
  const context = {
    sharedOptions: {},
    locale: 'en',
    createTranslator: () => (messageId: string, props?: Record<string, string>) => ({
      message: messageId,
      messageId,
      data: props,
    }),
    ignore: () => undefined,
    report: (d: {
      message: { messageId: string; data?: Record<string, string> }
      range: readonly [number, number]
    }) => {
      collected.push({
        start: d.range[0],
        end: d.range[1],
        message: d.message.messageId,
        values: Object.values(d.message.data ?? {}),
      })
    },
  }
  return context as unknown as SecretLintRuleContext
}

/**
 * Where the secret itself stands. Three rules of 11.7 report a range that starts at their pattern and has the length of the secret
 * (so its end would survive); others take in whole addresses, where only user and password are secret.
 */
function narrow(rule: string, report: Report, text: string): Finding[] {
  const { start, end, message, values } = report
  if (rule === 'gcp') return findPrivateKeys(text, true).map((f) => ({ ...f, rule }))
  if (rule === 'basicauth' || rule === 'database-connection-string') {
    const user = /:\/\/([^:/\s]+:[^@/\s]+)@/.exec(text.slice(start, end))
    return [user ? at(rule, start + user.index + 3, user[1]!) : { rule, start, end }]
  }
  const value = values[0] ?? ''
  if (message === 'AWSSecretAccessKey') return [at(rule, text.indexOf(value, start), value)]
  if (message === 'PackageJSON_xOauthToken') {
    const token = /[^\s/"'`<>]*$/.exec(value)![0]
    return token === ''
      ? []
      : [at(rule, text.indexOf(`${value}:x-oauth-basic`, start) + value.length - token.length, token)]
  }
  if (message === 'Npmrc_authToken') {
    const token = /^["']?([^\s"'`;&|<>()\\]*)/.exec(value)![1]!
    return token === '' || token.startsWith('$')
      ? []
      : [at(rule, text.indexOf(token, start + '_authToken='.length), token)]
  }
  return [{ rule, start, end }]
}
