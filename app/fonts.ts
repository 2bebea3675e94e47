import localFont from 'next/font/local'

// The fonts come out of the `geist` package and are served by us: no foreign host is ever asked. They are not preloaded: on a
// first visit 140 kB of fonts would be between the reader and the text.
export const sans = localFont({
  src: '../node_modules/geist/dist/fonts/geist-sans/Geist-Variable.woff2',
  variable: '--font-geist-sans',
  weight: '100 900',
  display: 'swap',
  preload: false,
})

export const mono = localFont({
  src: '../node_modules/geist/dist/fonts/geist-mono/GeistMono-Variable.woff2',
  variable: '--font-geist-mono',
  weight: '100 900',
  display: 'swap',
  preload: false,
})
