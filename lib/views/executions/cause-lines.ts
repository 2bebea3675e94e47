/** What is below a headline: the whole line where the headline is cut, and what failed before. */
export function linesBelow({ headline, text }: { headline: string; text: string }): string[] {
  const [line, ...before] = text.split('\n')
  return [...(isCut(headline, line!) ? [line!] : []), ...before]
}

/** The mark of a cut is at the end, or where the text was shortened before the program's words. */
const isCut = (headline: string, line: string): boolean =>
  line !== headline && (headline.endsWith('…') || marks(headline) > marks(line))
const marks = (text: string): number => text.split('…').length
