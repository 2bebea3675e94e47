import { cutAtWord, visible } from '@/lib/text/visible'

/** One line of text that came from data: nothing that acts on a terminal, no line breaks, and cut with a mark. */
export const plainText = (text: string, charsMax = 600): string =>
  visible(cutAtWord(text.replace(/\s+/g, ' ').trim(), charsMax))

/**
 * A line for a log of GitHub. Its runner takes `##[` for a command wherever it is, and `::` at the beginning of a line.
 *
 * @see https://github.com/actions/runner/blob/079cdb1d05fe0ec50f8c51de5a4fa51d0eb189b0/src/Runner.Common/ActionCommand.cs
 */
export const inGithubLog = (line: string): string =>
  line.replaceAll('##[', '## [').replace(/^(\s*):(?=:)/, '$1: ')

const percent = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
const property = (text: string): string => percent(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

/** An annotation of GitHub; whatever is in title and text, it stays one. */
export const githubCommand = (level: 'error' | 'warning', title: string, text: string): string =>
  `::${level} title=${property(title)}::${percent(text)}`

export const githubError = (title: string, text: string): string => githubCommand('error', title, text)

/** Text from data as a code span of Markdown: nothing in it is read as Markdown, HTML, a mention or an address. */
export function codeSpan(text: string, charsMax?: number): string {
  const words = plainText(text, charsMax)
  if (words === '') return '(empty)'
  const fence = '`'.repeat(longestRun(words) + 1)
  // A blank on both sides, which Markdown takes off again, parts the fence from what begins or ends with a backtick.
  const blank = /^`|`$/.test(words) ? ' ' : ''
  return `${fence}${blank}${words}${blank}${fence}`
}

/** Letters, digits and marks that no Markdown acts on within a line. */
const PLAIN = /^[\p{L}\p{N} .,;:'’()%/=+?…·-]*$/u
/** What becomes an address, a mention or an emoji by itself. */
const ACTS = /:\/\/|www\.|:[\w+-]+:/i

const isPlain = (text: string): boolean => PLAIN.test(text) && !ACTS.test(text)

/**
 * A sentence that may quote data, in Markdown: its quotes as code spans, or all of it where something may act outside of them.
 */
export function proseSpan(text: string, charsMax?: number): string {
  const words = plainText(text, charsMax)
  const around = words.replace(/“[^”]*”/g, '')
  if (!isPlain(around)) return codeSpan(words, charsMax)
  return words.replace(/“([^”]*)”/g, (_, quote: string) => codeSpan(quote))
}

/** Text from data as a block of code, with its line breaks. */
export function codeBlock(text: string, charsMax = 2_000): string {
  const words = visible(cutAtWord(text.trim(), charsMax))
  const fence = '`'.repeat(Math.max(3, longestRun(words) + 1))
  return `${fence}text\n${words}\n${fence}`
}

const longestRun = (text: string): number =>
  Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length))
