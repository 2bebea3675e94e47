/**
 * Whether a JSON text nests deeper than `depthMax`. Brackets inside strings do not count. Texts with fewer brackets than
 * that are answered without being read through.
 */
export function isTooDeep(text: string, depthMax: number): boolean {
  return hasMoreBrackets(text, depthMax) && scan(text, depthMax)
}

function hasMoreBrackets(text: string, count: number): boolean {
  let left = count
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      if (left-- === 0) return true
    }
  }
  return false
}

function scan(text: string, depthMax: number): boolean {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case 0x22: // string
        i = stringEnd(text, i) - 1
        break
      case 0x7b:
      case 0x5b:
        if (++depth > depthMax) return true
        break
      case 0x7d:
      case 0x5d:
        depth--
    }
  }
  return false
}

/** Whether a JSON text contains more than `max` values. Commas and opening brackets are counted, those inside strings are not. */
export function hasMoreValues(text: string, max: number): boolean {
  // Each but the first takes two characters.
  if (text.length < 2 * max) return false
  let values = 1
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x22) i = stringEnd(text, i) - 1
    else if ((code === 0x2c || code === 0x7b || code === 0x5b) && ++values > max) return true
  }
  return false
}

/** Whether all brackets of a JSON text are closed, without parsing it. */
export function isClosed(text: string): boolean {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x22) i = stringEnd(text, i) - 1
    else if (code === 0x7b || code === 0x5b) depth++
    else if (code === 0x7d || code === 0x5d) depth--
  }
  return depth === 0
}

/** Offset behind the closing quote of the JSON string that opens at `open`; the length of the text when it never closes. */
export function stringEnd(text: string, open: number): number {
  for (let from = open + 1; ; ) {
    const quote = text.indexOf('"', from)
    if (quote === -1) return text.length
    let slashes = quote
    while (slashes > open + 1 && text.charCodeAt(slashes - 1) === 0x5c) slashes--
    if ((quote - slashes) % 2 === 0) return quote + 1
    from = quote + 1
  }
}
