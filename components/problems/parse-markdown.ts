/** The little of Markdown that our own pages under `docs/problems/` use. Everything else stays text; there is no HTML. */
export type Inline =
  | { kind: 'text' | 'code' | 'strong'; text: string }
  | { kind: 'link'; text: string; href: string }
export type Block =
  | { kind: 'heading'; level: 1 | 2 | 3; inline: Inline[] }
  | { kind: 'paragraph'; inline: Inline[] }
  | { kind: 'list'; items: Inline[][] }
  | { kind: 'code'; text: string }

const INLINE =
  /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\((?:(\/[^)\s]*|https:\/\/[^)\s]+|#[^)\s]*)|\.\.\/([\w./-]+\.md)(?:#[^)\s]*)?)\)/g

export function parseInline(text: string): Inline[] {
  const parts: Inline[] = []
  let at = 0
  for (const match of text.matchAll(INLINE)) {
    if (match.index > at) parts.push({ kind: 'text', text: text.slice(at, match.index) })
    const [whole, code, strong, label, href, document] = match
    if (code !== undefined) parts.push({ kind: 'code', text: code })
    else if (strong !== undefined) parts.push({ kind: 'strong', text: strong })
    else if (href !== undefined) parts.push({ kind: 'link', text: label!, href })
    // The other documents are in the repository; no page of this server shows them.
    else
      parts.push(
        { kind: 'text', text: `${label} (` },
        { kind: 'code', text: `docs/${document}` },
        { kind: 'text', text: ')' },
      )
    at = match.index + whole.length
  }
  if (at < text.length) parts.push({ kind: 'text', text: text.slice(at) })
  return parts
}

export function parseMarkdown(text: string): Block[] {
  const blocks: Block[] = []
  const lines = text.replace(/\r\n/g, '\n').split('\n')
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!
    if (line.trim() === '') continue
    const heading = /^(#{1,3}) (.+)$/.exec(line)
    if (heading) {
      blocks.push({
        kind: 'heading',
        level: heading[1]!.length as 1 | 2 | 3,
        inline: parseInline(heading[2]!),
      })
    } else if (line.startsWith('```')) {
      const end = lines.indexOf('```', i + 1)
      const stop = end < 0 ? lines.length : end
      blocks.push({ kind: 'code', text: lines.slice(i + 1, stop).join('\n') })
      i = stop
    } else if (/^[-*] /.test(line)) {
      const items: string[] = []
      for (; i < lines.length && lines[i]!.trim() !== ''; i++) {
        if (/^[-*] /.test(lines[i]!)) items.push(lines[i]!.slice(2))
        else items[items.length - 1] += ` ${lines[i]!.trim()}`
      }
      blocks.push({ kind: 'list', items: items.map(parseInline) })
    } else {
      const paragraph = [line]
      while (
        i + 1 < lines.length &&
        lines[i + 1]!.trim() !== '' &&
        !/^(#{1,3} |[-*] |```)/.test(lines[i + 1]!)
      )
        paragraph.push(lines[++i]!)
      blocks.push({ kind: 'paragraph', inline: parseInline(paragraph.join(' ')) })
    }
  }
  return blocks
}
