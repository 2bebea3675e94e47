const RETRY_WORDS: Record<string, string> = {
  helped: 'A retry helped',
  'could-help': 'A retry could help',
  'cannot-help': 'A retry cannot help',
  unknown: 'Not known whether a retry could help',
}

/** The answer to "could a retry have helped?", in the words of the advice where it has its own; an answer that nobody knows stands as itself. */
export const verdictWords = ({ verdict, retry }: { verdict?: string; retry: string }): string =>
  verdict ?? (Object.hasOwn(RETRY_WORDS, retry) ? RETRY_WORDS[retry]! : retry)
