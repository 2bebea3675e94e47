import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * npm leaves an optional package out of the lock file when the registry at hand does not hold it (packages for other platforms, behind
 * some mirrors), and `npm ci` then refuses the lock as out of step. Their versions are pinned exactly by the package that wants them, so
 * the entries can be written from that. Run after `npm install` changed the lock: `node scripts/complete-lock.mjs`.
 */
const OS = ['darwin', 'android', 'freebsd', 'win32', 'linux', 'openharmony', 'wasi']
const CPU = ['arm64', 'x64', 'arm', 'ia32', 'ppc64', 'riscv64', 's390x', 'loong64', 'wasm32']
const LIBC = { gnu: 'glibc', musl: 'musl', gnueabihf: 'glibc', musleabihf: 'musl' }

/** What a platform package runs on, read from its name as these packages spell it: `…-linux-arm64-musl`. */
export function platformOf(name) {
  const words = name.split('/').at(-1).split('-')
  const pick = (known) => words.filter((word) => known.includes(word))
  const libc = words.map((word) => LIBC[word]).filter(Boolean)
  const [os, cpu] = [pick(OS), pick(CPU)]
  return {
    ...(cpu.length > 0 ? { cpu } : {}),
    ...(libc.length > 0 && os.includes('linux') ? { libc } : {}),
    ...(os.length > 0 && !os.includes('wasi') ? { os } : {}),
  }
}

/** Optional packages that the lock wants and does not hold: `[path of the one that wants it, name, version]`. */
export function missingOf(lock) {
  const has = (from, name) => {
    for (
      let at = from;
      ;
      at = at.includes('node_modules/') ? at.slice(0, at.lastIndexOf('node_modules/')).replace(/\/$/, '') : ''
    ) {
      if (`${at === '' ? '' : `${at}/`}node_modules/${name}` in lock.packages) return true
      if (at === '') return false
    }
  }
  return Object.entries(lock.packages).flatMap(([path, entry]) =>
    Object.entries(entry.optionalDependencies ?? {}).flatMap(([name, version]) =>
      has(path, name) ? [] : [[path, name, version]],
    ),
  )
}

/** The lock with an entry for each of them; a version that is no exact pin cannot be completed and is reported. */
export function completeLock(lock) {
  const added = missingOf(lock).map(([path, name, version]) => {
    if (!/^\d+\.\d+\.\d+[\w.+-]*$/.test(version))
      throw new Error(`${path} wants ${name}@${version}, which is no exact version`)
    const { dev } = lock.packages[path]
    return [`node_modules/${name}`, { version, ...platformOf(name), ...(dev ? { dev } : {}), optional: true }]
  })
  const sorted = Object.entries({ ...lock.packages, ...Object.fromEntries(added) }).sort(([a], [b]) =>
    a < b ? -1 : 1,
  )
  return { ...lock, packages: Object.fromEntries(sorted) }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = new URL('../package-lock.json', import.meta.url)
  const lock = JSON.parse(readFileSync(file, 'utf8'))
  console.log(`${missingOf(lock).length} entries added`)
  writeFileSync(file, `${JSON.stringify(completeLock(lock), null, 2)}\n`)
}
