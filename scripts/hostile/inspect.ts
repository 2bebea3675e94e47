import type { Page } from '@playwright/test'

/** Everything in a page by which a text would have become more than text, or would keep a person from using it; empty where it stayed one. */
export async function inspectPage(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = []
    const room = document.querySelector('main')
    if (room === null) return ['no main part']
    const active =
      'script:not([nonce]), img:not([src^="/"]):not([src^="data:"]), iframe, object, embed, video, audio, link, style, base, meta, form[action]:not([action^="/"])'
    for (const element of room.querySelectorAll(active))
      found.push(`element ${element.outerHTML.slice(0, 80)}`)
    for (const element of document.querySelectorAll('*'))
      for (const { name, value } of element.attributes) {
        if (/^on/.test(name)) found.push(`handler ${name} at ${element.tagName}`)
        if (
          /^(href|src|action|formaction|xlink:href)$/.test(name) &&
          /^[\s\0-\x20]*(javascript|vbscript):/i.test(value)
        )
          found.push(`address ${value.slice(0, 60)}`)
      }
    // Marks that change the direction of text, and controls that a terminal obeys, are drawn as signs.
    const hidden =
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/.exec(
        room.innerText,
      )
    if (hidden)
      found.push(
        `a hidden character ${hidden[0].codePointAt(0)!.toString(16)} in ${JSON.stringify(room.innerText.slice(Math.max(0, hidden.index - 40), hidden.index + 20))}`,
      )
    if (document.documentElement.scrollWidth > innerWidth) {
      // The innermost element that reaches furthest to the right, leaving out what scrolls inside a box of its own.
      let [at, right] = ['nothing that is drawn', innerWidth]
      for (const element of document.body.querySelectorAll('*')) {
        const edge = element.getBoundingClientRect().right + scrollX
        let above = element.parentElement
        while (above !== null && getComputedStyle(above).overflowX === 'visible') above = above.parentElement
        if (edge < right || (above !== null && above !== document.body)) continue
        right = edge
        at = `<${element.tagName.toLowerCase()} class="${element.getAttribute('class') ?? ''}">`
      }
      found.push(
        `it is ${document.documentElement.scrollWidth} px wide on a screen of ${innerWidth}, because of ${at}`,
      )
    }
    const controls = [...document.querySelectorAll('header a, header button, nav a, nav button')]
    if (!controls.some((control) => control.getBoundingClientRect().width > 0))
      found.push('its navigation cannot be seen')
    return found
  })
}
