import type { Finding } from './finding'

const localPart = /[\p{Script=Latin}\p{N}._%+-]{1,64}$/u
const domainPart =
  /^(?:[\p{L}\p{N}](?:[-\p{L}\p{N}]{0,61}[\p{L}\p{N}])?\.)+[A-Za-z]{2,24}(?![-\p{L}\p{N}]|\.[\p{L}\p{N}])/u
const escapeTail = /^(?:u[0-9a-fA-F]{4}|[bfnrt])/
const fileEndings = (
  'avif bmp bz2 cfg cjs class conf cpp cs css csv cts cxx dart dll doc docx dylib env exe gif go gz h hpp htm html ico ini ' +
  'ipynb jar java jpeg jpg js json jsonc jsonl jsx kt less lock log lua map mdx mjs mp3 mp4 mts ndjson otf patch pdf php ' +
  'png pptx proto sass scala scss snap sql sqlite svelte svg swift tar tgz tiff toml ts tsv tsx ttf txt vue wasm wav webm ' +
  'webp whl woff woff2 xlsx xml yaml yml'
).split(' ')
const noPersons = new Set(['git', 'hg', 'svn', 'this', 'super', 'self', 'return', 'yield', 'await'])

/**
 * Mail addresses in a text. Not one: `git@host:…` and other remote paths, users of URLs, decorators, npm scopes and versions (`a@1.2.3`),
 * pictures for fine screens (`a@2x.png`), method calls behind an `@`.
 */
export function findMails(text: string): Finding[] {
  const found: Finding[] = []
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    const domain = domainPart.exec(text.slice(at + 1, at + 257))?.[0]
    if (domain === undefined) continue
    const start = startOfLocal(text, at)
    const end = at + 1 + domain.length
    if (start < at && isMail(text, start, at, domain, end)) found.push({ rule: 'mail', start, end })
  }
  return found
}

function startOfLocal(text: string, at: number): number {
  const before = text.slice(Math.max(0, at - 64), at)
  const local = localPart.exec(before)?.[0] ?? ''
  let start = at - local.length
  if (text[start - 1] === '\\') {
    // Text that is escaped once more than it was read: the `n` of `\\nbob@…` is no part of the address.
    start += escapeTail.exec(text.slice(start, at))?.[0].length ?? 0
  }
  while (start < at && /[.%+-]/.test(text[start]!)) start++
  return start
}

function isMail(text: string, start: number, at: number, domain: string, end: number): boolean {
  const local = text.slice(start, at)
  if (noPersons.has(local)) return false
  if (/^[234]x\./.test(domain) || /^v?\d+\.(?:\d|x\b)/i.test(domain)) return false
  if (fileEndings.includes(domain.slice(domain.lastIndexOf('.') + 1).toLowerCase())) return false
  const after = text.slice(end, end + 80)
  if (/^\(|^:(?:[/~]|[\w.-]+\/)/.test(after)) return false
  return !/:\/\/[^\s/?#"'<>@\\]*$/.test(text.slice(Math.max(0, start - 256), start))
}
