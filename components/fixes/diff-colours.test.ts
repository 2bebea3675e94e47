import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const css = readFileSync(new URL('../../app/globals.css', import.meta.url), 'utf8')
const own = readFileSync(new URL('./diff.css', import.meta.url), 'utf8')
const lineText = readFileSync(new URL('./line-text.tsx', import.meta.url), 'utf8')

type Rgb = [number, number, number]
const rgb = (hex: string): Rgb => [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as Rgb
const themes = (['light', 'dark'] as const).map((theme) => {
  const block =
    theme === 'light'
      ? css.slice(css.indexOf(':root {'), css.indexOf('@media (prefers-color-scheme'))
      : css.slice(css.indexOf(":root[data-theme='dark'] {"), css.indexOf(":root[data-fonts='own']"))
  const ofPage = [...block.matchAll(/--([\w-]+):\s*#([0-9a-f]{6})\b/g)].map(
    ([, name, hex]) => [name!, rgb(hex!)] as const,
  )
  const ofCode = [...own.matchAll(/--(code-\w+): light-dark\(#([0-9a-f]{6}), #([0-9a-f]{6})\)/g)].map(
    ([, name, light, dark]) => [name!, rgb(theme === 'light' ? light! : dark!)] as const,
  )
  return [theme, new Map([...ofPage, ...ofCode])] as const
})
const mix = (a: Rgb, b: Rgb, part: number): Rgb =>
  a.map((one, index) => one * part + b[index]! * (1 - part)) as Rgb
const luminance = (rgb: Rgb): number => {
  const [r, g, b] = rgb.map((one) =>
    one / 255 <= 0.03928 ? one / 255 / 12.92 : ((one / 255 + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!
}
const contrast = (a: Rgb, b: Rgb): number => {
  const [light, dark] = [luminance(a), luminance(b)].toSorted((x, y) => y - x)
  return (light! + 0.05) / (dark! + 0.05)
}

test.each(themes)(
  'every colour of the diff can be read on every ground it stands on (%s)',
  (_theme, colours) => {
    const colour = (name: string): Rgb => colours.get(name)!
    const used = [...lineText.matchAll(/'text-\(--(code-\w+)\)/g)].map(([, name]) => name!)
    expect(used.length).toBe(5)
    const grounds = ['surface', 'tint-good', 'tint-bad'].flatMap((name) => [
      colour(name),
      mix(colour('accent'), colour(name), 0.07),
    ])
    const words = [
      mix(colour('state-good'), colour('tint-good'), 0.12),
      mix(colour('state-bad'), colour('tint-bad'), 0.12),
    ]
    const poor = [...used, 'ink', 'ink-2']
      .flatMap((name) => grounds.map((ground) => [name, contrast(colour(name), ground)] as const))
      .filter(([, ratio]) => ratio < 4.5)
    expect(poor).toEqual([])
    expect(words.map((ground) => contrast(colour('ink'), ground)).filter((ratio) => ratio < 4.5)).toEqual([])
  },
)
