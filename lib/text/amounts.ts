const units = ['B', 'kB', 'MB', 'GB', 'TB']

/** `12.3 MB`, decimal. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  return `${unit === 0 ? value : value.toFixed(value < 10 ? 1 : 0)} ${units[unit]}`
}

/** `1,234`, whatever the locale of the machine. */
export const formatCount = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, ',')

/** `1 file`, `2 files`. */
export const countOf = (n: number, one: string, many = `${one}s`): string =>
  `${formatCount(n)} ${n === 1 ? one : many}`
