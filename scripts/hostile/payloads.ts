/** Stands in front of every payload, so that a page can be asked whether the text was really shown. */
export const MARKER = 'qzmarker'
/** What a payload calls when it runs; watched by every page that is visited. */
export const SPY = '__hostileRan'
/** A host that no page may ask for anything. */
export const FOREIGN = 'hostile.invalid'

const run = `window.${SPY}=1`

/** Texts that become more than text where they are not treated as such, by what they aim at. */
export const PAYLOADS = {
  markup: `<script>${run}</script><img src=x onerror="${run}"><svg onload="${run}"><iframe srcdoc="<script>parent.${SPY}=1</script>">`,
  attribute: `"' autofocus onfocus="${run}" onmouseover='${run}' x="><img src=//${FOREIGN}/a.png onerror=${run}>`,
  'end of a script': `</script></title></textarea></style></template><script>${run}</script><!--`,
  address: `javascript:${run}`,
  'address in markdown': `[open](javascript:${run}) ![](https://${FOREIGN}/p.png) <https://${FOREIGN}/> [x](data:text/html,<script>${run}</script>)`,
  terminal: `\u001b]8;;javascript:${run}\u0007link\u001b]8;;\u0007\u001b[31mred\u001b[2J\u001b]0;title\u0007\u009b31m`,
  direction: '\u202egnp.exe\u202c \u2066a\u2069 \u200b\u200d\ufeff e\u0301\u0301\u0301',
  template: `{{constructor.constructor('${run}')()}} \${${run}} <%= ${run} %> #{${run}}`,
  style: `<style>body{display:none}</style><link rel=stylesheet href=//${FOREIGN}/s.css><base href=//${FOREIGN}/><meta http-equiv=refresh content="0;url=//${FOREIGN}/">`,
  long: 'W'.repeat(3_000),
  'many words': 'hostile name '.repeat(200),
} as const

/** All of them in a few texts, for a short run: what is cut off somewhere is first in another. */
export const COMBINED: Record<string, string> = {
  'first half': [PAYLOADS.markup, PAYLOADS.attribute, PAYLOADS['end of a script'], PAYLOADS.terminal].join(
    ' ',
  ),
  'second half': [
    PAYLOADS.address,
    PAYLOADS.direction,
    PAYLOADS['address in markdown'],
    PAYLOADS.style,
    PAYLOADS.template,
    'W'.repeat(400),
  ].join(' '),
}
